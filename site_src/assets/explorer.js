// All runs of the site, filtered. The filter stands in the fragment of the address, so that it can be sent to somebody;
// rows are drawn as far as they can be seen. Without this script the static lists further down say the same.
window.runcite = window.runcite || {};
(() => {
  "use strict";
  const place = document.querySelector("#explorer");
  if (!place) return;
  const ROW = 34; // pixels; the style sheet has the same
  const SPARE = 12; // rows drawn above and below what can be seen
  const STATES = { C: "COMPLETE", F: "FAILED", I: "INVALID", X: "CANCELLED" };
  const LETTERS = { hit: "h", miss: "m", not_applicable: "n", not_judged: "-" };
  const FILTERS = ["batch", "variant", "category", "case", "state", "reason", "outcome"];
  const lang = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
  const root = place.dataset.root;
  const words = Object.fromEntries([...place.querySelectorAll("[data-word]")].map((it) => [it.dataset.word, it.textContent]));
  const say = (key, values = {}) =>
    Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, value), words[key] ?? key);
  const numerals = new Intl.NumberFormat("en");
  const count = (n) => numerals.format(n);
  const order = new Intl.Collator(undefined, { numeric: true });
  const make = (tag, properties = {}, ...inner) => {
    const it = Object.assign(document.createElement(tag), properties);
    it.append(...inner);
    return it;
  };

  // ---- What was loaded: parts in the order of the index, rows counted through all of them.
  let index = { batches: [], metrics: [] };
  const parts = [];
  const wanted = [];

  function load(address) {
    const script = make("script", { src: root + address });
    script.addEventListener("error", () => status(say("failed", { file: address })));
    document.head.append(script);
  }

  function next() {
    const address = wanted.shift();
    if (address) load(address);
  }

  window.runcite.explorer = (given) => {
    index = given;
    const first = filter().batch;
    const sorted = [...index.batches].sort((a, b) => (b.id === first) - (a.id === first));
    for (const batch of sorted)
      for (let part = 1; part <= batch.parts; part++) wanted.push(`explorer/${batch.folder}/${part}.js`);
    show();
    next();
  };

  window.runcite.runs = (part) => {
    part.place = index.batches.findIndex((batch) => batch.id === part.batch);
    part.entry = index.batches[part.place];
    parts.push(part);
    parts.sort((a, b) => a.place - b.place);
    show();
    next();
  };

  // ---- The filter and the address.
  function filter() {
    const given = new URLSearchParams(location.hash.slice(1));
    return Object.fromEntries([...FILTERS, "metric", "text"].map((name) => [name, given.get(name) ?? ""]));
  }

  function remember(changed) {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const [name, value] of Object.entries(changed)) value ? given.set(name, value) : given.delete(name);
    const text = given.toString();
    history.replaceState(null, "", text ? `#${text}` : location.href.split("#")[0] + "#");
    show();
  }

  // ---- Which rows fit. A part has a column of small numbers for each filter and the list of what they stand for, so
  // that a row is looked at without making a text. Each choice is counted as if it were made.
  function column(part, name, metric) {
    const key = name === "outcome" ? `outcome ${metric}` : name;
    part.columns ??= new Map();
    if (!part.columns.has(key)) part.columns.set(key, made(part, name, metric));
    return part.columns.get(key);
  }

  function made(part, name, metric) {
    const signs = { state: () => part.state, outcome: () => (Object.hasOwn(part.outcomes, metric) ? part.outcomes[metric] : "-".repeat(part.run.length)) }[name]?.();
    if (name === "batch") return { list: [part.batch], codes: new Uint8Array(part.run.length) };
    if (signs === undefined) {
      // A run without a reason has −1, which stands behind the list.
      const list = [...part.lists[name], ""];
      return { list, codes: Int32Array.from(part[name], (code) => (code < 0 ? list.length - 1 : code)) };
    }
    const list = [...new Set(signs)];
    const place = Object.fromEntries(list.map((sign, at) => [sign, at]));
    return { list, codes: Uint8Array.from(signs, (sign) => place[sign]) };
  }

  const value_of = (part, name, row, metric) => {
    const { list, codes } = column(part, name, metric);
    return list[codes[row]];
  };
  const metric_of = (part, chosen) => chosen.metric || part.entry.pass_metric;

  function select(chosen) {
    const state = Object.keys(STATES).find((letter) => STATES[letter] === chosen.state);
    const asked = { ...chosen, state: chosen.state && (state ?? "?"), outcome: chosen.outcome && (LETTERS[chosen.outcome] ?? "?") };
    const counts = Object.fromEntries(FILTERS.map((name) => [name, new Map()]));
    const rows = [];
    let offset = 0;
    for (const part of parts) {
      const columns = FILTERS.map((name) => column(part, name, metric_of(part, chosen)));
      const found = columns.map(({ list }) => new Int32Array(list.length));
      look(part, chosen.text.toLowerCase(), columns, FILTERS.map((name) => asked[name]), found, rows, offset);
      FILTERS.forEach((name, at) =>
        columns[at].list.forEach((key, code) => {
          if (found[at][code]) counts[name].set(key, (counts[name].get(key) ?? 0) + found[at][code]);
        }),
      );
      offset += part.run.length;
    }
    return { rows, counts };
  }

  function look(part, text, columns, asked, found, rows, offset) {
    const active = columns.map((_, at) => at).filter((at) => asked[at]);
    const wanted = active.map((at) => columns[at].list.indexOf(asked[at]));
    const codes = columns.map((it) => it.codes);
    const ids = text ? (part.lower ??= part.run.map((id) => id.toLowerCase())) : null;
    for (let row = 0; row < part.run.length; row++) {
      if (ids !== null && !ids[row].includes(text)) continue;
      let failed = -1;
      let failures = 0;
      for (let at = 0; at < active.length && failures < 2; at++)
        if (codes[active[at]][row] !== wanted[at]) {
          failed = active[at];
          failures++;
        }
      if (failures === 1) found[failed][codes[failed][row]]++;
      if (failures > 0) continue;
      rows.push(offset + row);
      for (let at = 0; at < codes.length; at++) found[at][codes[at][row]]++;
    }
  }

  // ---- The controls.
  const controls = {};
  const form = make("form", { className: "rc-explorer-filter" });
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const name of ["batch", "variant", "category", "case", "state", "reason", "metric", "outcome"]) {
    const chooser = make("select", { name });
    chooser.addEventListener("change", () => remember({ [name]: chooser.value }));
    controls[name] = chooser;
    form.append(make("label", {}, make("span", { textContent: say(name) }), chooser));
  }
  const typed = make("input", { type: "search", name: "text", autocomplete: "off", spellcheck: false });
  typed.addEventListener("input", () => remember({ text: typed.value.trim() }));
  form.append(make("label", {}, make("span", { textContent: say("text") }), typed));
  const clear = make("button", { type: "button", textContent: say("clear") });
  clear.addEventListener("click", () => {
    typed.value = "";
    history.replaceState(null, "", location.href.split("#")[0] + "#");
    show();
  });
  form.append(clear);

  const known = (list, id) => list.find((it) => it.id === id)?.name?.[lang];
  const named = {
    batch: (id) => id,
    variant: (id) => index.batches.map((batch) => known(batch.variants, id)).find(Boolean) ?? id,
    category: (id) => id,
    case: (id) => id,
    state: (letter) => say(`state.${STATES[letter]}`),
    reason: (code) => words[`reason.${code}`] ?? code,
    outcome: (letter) => say(`outcome.${Object.keys(LETTERS).find((name) => LETTERS[name] === letter)}`),
  };
  const value = {
    state: (letter) => STATES[letter],
    outcome: (letter) => Object.keys(LETTERS).find((name) => LETTERS[name] === letter),
  };

  function fill(chosen, counts) {
    for (const name of FILTERS) {
      const found = [...counts[name]].filter(([key]) => key !== "");
      found.sort(([a], [b]) => order.compare(a, b));
      const options = found.map(([key, n]) => [value[name] ? value[name](key) : key, `${named[name](key)} (${count(n)})`]);
      if (chosen[name] && !options.some(([key]) => key === chosen[name])) options.push([chosen[name], `${chosen[name]} (0)`]);
      set(controls[name], [["", say("all")], ...options], chosen[name]);
      controls[name].parentElement.hidden = name === "reason" && options.length === 0;
    }
    const metrics = index.metrics.map((metric) => [metric.id, metric.name[lang]]);
    set(controls.metric, [["", say("pass_metric")], ...metrics], chosen.metric);
    if (document.activeElement !== typed) typed.value = chosen.text;
    clear.disabled = !Object.values(chosen).some(Boolean);
  }

  function set(chooser, options, chosen) {
    const same =
      chooser.options.length === options.length &&
      options.every(([key, text], at) => chooser.options[at].value === key && chooser.options[at].text === text);
    if (!same) chooser.replaceChildren(...options.map(([key, text]) => make("option", { value: key, textContent: text })));
    chooser.value = chosen;
  }

  // ---- The table: all rows are there for the scroll bar, those in sight are drawn.
  const line = make("p", { className: "rc-explorer-status" });
  line.setAttribute("role", "status");
  const status = (text) => (line.textContent = text);
  const hint = make("p", { className: "rc-explorer-hint" });
  hint.setAttribute("role", "status");
  const body = make("tbody");
  const heads = ["run", "batch", "variant", "case", "repeat", "state", "result", "pick"];
  const table = make(
    "table",
    { className: "rc-table rc-explorer-table" },
    make("thead", {}, make("tr", {}, ...heads.map((name) => make("th", { scope: "col", textContent: say(name) })))),
    body,
  );
  const box = make("div", { className: "rc-explorer-rows", tabIndex: 0 }, table);
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", say("title"));
  let shown = { rows: [], chosen: null };
  let drawn = [-1, -1];

  function cell(name, text, foreign) {
    const it = make("td", { className: `rc-explorer-${name}` }, foreign ? make("bdi", { className: "ref", textContent: text }) : text);
    if (foreign) it.lang = "und";
    return it;
  }

  function draw_row(at) {
    let row = shown.rows[at];
    const part = parts.find((it) => row < it.run.length || ((row -= it.run.length), false));
    const metric = metric_of(part, shown.chosen);
    const of = (name) => value_of(part, name, row, metric);
    const id = part.run[row];
    const link = make("a", { className: "ref", href: `${root}runs/${part.entry.folder}/${part.files[row] ?? id}.html#${lang}` });
    link.append(make("bdi", { textContent: id }));
    const sign = of("outcome");
    const direction = index.metrics.find((it) => it.id === metric)?.direction ?? "neutral";
    const tone = { h: { higher: "good", lower: "bad" }, m: { higher: "bad", lower: "good" } }[sign]?.[direction] ?? "soft";
    const mark = { h: "●", m: "○", n: "–", "-": "·" }[sign];
    const result = make("td", { className: `rc-explorer-${tone}` }, `${mark} ${named.outcome(sign)}`);
    const line = make(
      "tr",
      {},
      make("th", { scope: "row" }, link),
      cell("batch", part.batch, true),
      cell("variant", named.variant(of("variant"))),
      cell("case", of("case"), true),
      cell("repeat", String(part.repeat[row])),
      cell("state", named.state(of("state")) + (of("reason") ? `: ${named.reason(of("reason"))}` : "")),
      result,
      make("td", {}, pick_button(`${part.entry.folder}/${part.files[row] ?? id}`, id)),
    );
    line.setAttribute("aria-rowindex", at + 2);
    return line;
  }

  // ---- The first run that is chosen is kept; the second leads to the two of them.
  let picked = null;

  function pick_button(address, id) {
    const button = make("button", { type: "button", className: "rc-explorer-pick", textContent: "⇄", title: say("pick") });
    const is_picked = picked?.address === address;
    button.setAttribute("aria-label", `${say("pick")}: ${id}`);
    button.setAttribute("aria-pressed", is_picked);
    button.addEventListener("click", () => {
      if (picked && !is_picked) location.href = `${place.dataset.compare}#a=${picked.address}&b=${address}`;
      else {
        picked = is_picked ? null : { address, id };
        hint.textContent = picked ? say("picked", { run: id }) : "";
        draw(true);
        body.querySelector(`[aria-label="${CSS.escape(button.getAttribute("aria-label"))}"]`)?.focus({ preventScroll: true });
      }
    });
    return button;
  }

  function draw(anew) {
    const first = Math.max(0, Math.floor(box.scrollTop / ROW) - SPARE);
    const last = Math.min(shown.rows.length, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + SPARE);
    if (!anew && first === drawn[0] && last === drawn[1]) return;
    drawn = [first, last];
    const held = document.activeElement?.closest?.(".rc-explorer-rows tr")?.getAttribute("aria-rowindex");
    const room = (rows) => {
      const it = make("tr", { className: "rc-explorer-room" }, make("td", { colSpan: heads.length }));
      it.style.height = `${rows * ROW}px`;
      it.setAttribute("aria-hidden", "true");
      return it;
    };
    const rows = [];
    for (let at = first; at < last; at++) rows.push(draw_row(at));
    body.replaceChildren(room(first), ...rows, room(shown.rows.length - last));
    table.setAttribute("aria-rowcount", shown.rows.length + 1);
    if (held) body.querySelector(`tr[aria-rowindex="${held}"] a`)?.focus({ preventScroll: true });
  }

  function step(event) {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[event.key];
    const from = document.activeElement?.closest?.(".rc-explorer-rows tr")?.getAttribute("aria-rowindex");
    if (by === undefined || (!from && document.activeElement !== box) || shown.rows.length === 0) return;
    event.preventDefault();
    const to = Math.min(shown.rows.length - 1, Math.max(0, (from ? from - 2 : by > 0 && by < Infinity ? -1 : 0) + by));
    const head = table.tHead.offsetHeight;
    if (to * ROW < box.scrollTop) box.scrollTop = to * ROW;
    else if ((to + 1) * ROW + head > box.scrollTop + box.clientHeight) box.scrollTop = (to + 1) * ROW + head - box.clientHeight;
    draw(true);
    body.querySelector(`tr[aria-rowindex="${to + 2}"] a`)?.focus({ preventScroll: true });
  }

  function show() {
    const chosen = filter();
    const found = select(chosen);
    shown = { rows: found.rows, chosen };
    fill(chosen, found.counts);
    const loaded = parts.reduce((sum, part) => sum + part.run.length, 0);
    const all = index.batches.reduce((sum, batch) => sum + batch.runs, 0);
    const key = loaded < all ? "loading" : "found";
    status(say(key, { shown: count(found.rows.length), loaded: count(loaded), all: count(all) }));
    if (box.scrollTop > found.rows.length * ROW) box.scrollTop = 0;
    draw(true);
  }

  let waiting = false;
  box.addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw(false);
    });
  });
  box.addEventListener("keydown", step);
  addEventListener("hashchange", show);
  addEventListener("resize", () => draw(false));
  place.append(form, line, hint, box);
  place.hidden = false;
  load("explorer/index.js");
})();
