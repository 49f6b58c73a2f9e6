// Two runs side by side. Which stands in the fragment: `#a=<batch>/<run>&b=<batch>/<run>`, by the names of their files,
// or by run ids. Evidence is read as it is published, its hash checked; from a folder, out of the copies.
(() => {
  "use strict";
  const place = document.querySelector("#compare");
  if (!place) return;
  const lang = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
  const root = new URL(place.dataset.root || "./", location.href).href;
  const vocabulary = Object.fromEntries([...place.querySelectorAll("[data-word]")].map((it) => [it.dataset.word, it.textContent]));
  const say = (key, values = {}) =>
    Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, value), vocabulary[key] ?? key);
  const { calls, calls_of, change_of, has_names, names, words, visible } = runcite.differences;
  const SIGNS = { same: "=", arguments_differ: "≠", only_first: "−", only_second: "+" };
  const ADDRESS = /^[a-z0-9][a-z0-9_-]*\/[a-z0-9][a-z0-9_-]*$/;

  const make = (tag, properties = {}, ...inner) => {
    const it = Object.assign(document.createElement(tag), properties);
    it.append(...inner.flat().filter((part) => part !== null));
    return it;
  };
  const foreign = (tag, text, className = "") => make(tag, { lang: "und", translate: false, className }, visible(String(text)));

  // ---- Which runs: by file name, or by id through what the explorer reads.
  let index = null;
  const parts = [];
  window.runcite.explorer = (given) => (index = given);
  window.runcite.runs = (part) => parts.push(part);
  const asked = new Map();
  const load = (address) => {
    if (!asked.has(address)) asked.set(address, runcite.files.load(root, address));
    return asked.get(address);
  };

  async function resolve(text) {
    if (ADDRESS.test(text)) return text;
    for (const batch of index.batches)
      for (let n = 1; n <= batch.parts; n++) {
        await load(`explorer/${batch.folder}/${n}.js`);
        const part = parts.find((it) => it.batch === batch.id && it.run.includes(text));
        if (part) return `${batch.folder}/${part.files[part.run.indexOf(text)] ?? text}`;
      }
    throw new Error(say("unknown", { run: visible(text) }));
  }

  const opened = new Map();
  async function read(address) {
    const folder = address.split("/")[0];
    if (!opened.has(folder)) opened.set(folder, new runcite.files.Files(root, folder));
    const files = opened.get(folder);
    const path = `runs/${address}.json`;
    const run = await files.json(path).catch(() => {
      throw new Error(say("unreadable", { file: path }));
    });
    return { run, address, changed: files.changed.some((it) => it.path === path) };
  }

  // ---- The form.
  const status = make("p", { className: "rc-explorer-status" });
  status.setAttribute("role", "status");
  const shown = make("div", { className: "rc-compare-shown" });
  const inputs = ["first", "second"].map((name) => make("input", { name, autocomplete: "off", spellcheck: false, required: true }));
  const swap = make("button", { type: "button", textContent: say("swap") });
  const form = make(
    "form",
    { className: "rc-explorer-filter" },
    ["first", "second"].map((name, at) => make("label", {}, make("span", { textContent: say(name) }), inputs[at])),
    make("button", { type: "submit", textContent: say("show") }),
    swap,
  );
  const go = (a, b) => {
    const fragment = `#a=${encodeURIComponent(a).replace("%2F", "/")}&b=${encodeURIComponent(b).replace("%2F", "/")}`;
    if (location.hash === fragment) show();
    else location.hash = fragment;
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    go(...inputs.map((it) => it.value.trim()));
  });
  swap.addEventListener("click", () => go(...inputs.map((it) => it.value.trim()).reverse()));

  // ---- What is shown.
  const table = (caption, heads, rows) => {
    const box = make("div", { className: "rc-scroll", tabIndex: 0 });
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", caption);
    const head = make("tr", {}, heads.map((text) => make("th", { scope: "col" }, text)));
    box.append(make("table", { className: "rc-table rc-compare-table" }, make("thead", {}, head), make("tbody", {}, rows)));
    return box;
  };
  const link = ({ run, address }, fragment = lang) =>
    make("a", { className: "ref", href: `${root}runs/${address}.html#${fragment}` }, foreign("bdi", run.run_id));
  const signed = (change) => {
    const it = make("td", { className: `rc-compare-sign rc-compare-${change}` }, SIGNS[change]);
    it.append(make("span", { className: "rc-unseen" }, ` ${say(change)}`));
    return it;
  };
  const row = (name, change, one, other) =>
    make("tr", { className: `rc-compare-row-${change}` }, make("th", { scope: "row" }, name), signed(change), make("td", {}, one), make("td", {}, other));
  const heads = (first, pair) => [first, "", ...pair.map((it, at) => make("span", {}, `${say(at ? "second" : "first")} · `, link(it)))];

  function facts(pair) {
    const runs = pair.map((it) => it.run);
    const of = {
      batch: (run) => run.batch,
      variant: (run) => run.variant,
      case: (run) => run.case_id,
      repeat: (run) => run.repeat_index,
      state: (run) => say(`state.${run.state}`),
      reason: (run) => run.reason && (vocabulary[`reason.${run.reason}`] ?? run.reason),
      turns: (run) => run.trace && run.trace.length - calls_of(run).length,
      calls: (run) => run.trace && calls_of(run).length,
      tokens: (run) => run.assertions.avg_tokens?.value ?? null,
      duration: (run) => run.telemetry?.timing?.duration_ms ?? null,
    };
    const rows = Object.entries(of).map(([name, value]) => {
      const [one, other] = runs.map(value);
      if (one === null && other === null) return null;
      const cells = [one, other].map((it) => (it === null ? "–" : foreign("bdi", it, "ref")));
      return row(say(name), one === other ? "same" : "arguments_differ", ...cells);
    });
    return table(say("facts"), heads(say("facts"), pair), rows);
  }

  function outcomes(pair) {
    const [one, other] = pair.map((it) => it.run.assertions);
    const judged = (it) => (it === undefined ? "not_judged" : it.outcome);
    const metrics = (index?.metrics ?? []).filter(({ id }) => judged(one[id]) !== judged(other[id]));
    if (!metrics.length) return make("p", {}, `= ${say("judged_same")}`);
    const rows = metrics.map((metric) => {
      const words = [one, other].map((of) => say(`outcome.${judged(of[metric.id])}`));
      return row(metric.name[lang], "arguments_differ", ...words);
    });
    return table(say("outcomes"), heads(say("outcomes"), pair), rows);
  }

  const pretty = (value) => (typeof value === "string" ? value : JSON.stringify(value));

  function given(call, differing) {
    const value = call.arguments ?? null;
    if (value === null) return null;
    if (!has_names(value)) return foreign("pre", value.text ?? pretty(value));
    const lines = Object.entries(value).map(([name, it]) => {
      const line = [foreign("code", name), ": ", foreign("span", pretty(it))];
      return differing?.has(name) ? make("mark", { className: "rc-compare-mark" }, "≠ ", ...line) : make("span", {}, ...line);
    });
    return make("div", { className: "rc-compare-arguments", lang: "und" }, lines);
  }

  function side(it, call, differing) {
    if (call === null) return [make("span", { className: "rc-compare-none" }, say("absent"))];
    const step = make("a", { className: "ref", href: `${root}runs/${it.address}.html#step-${call.step}` }, `${say("step")} ${call.step}`);
    const state = call.status && call.status !== "ok" ? make("strong", {}, ` ${say(`status.${call.status}`)}`) : null;
    const text = call.error ?? call.summary;
    const back = text == null ? null : make("details", {}, make("summary", {}, say("result")), foreign("pre", text.text ?? pretty(text)));
    return [foreign("code", call.tool), " ", step, state, given(call, differing), back];
  }

  function steps(pair) {
    const aligned = calls(pair[0].run, pair[1].run);
    const counted = { same: 0, arguments_differ: 0, only_first: 0, only_second: 0 };
    const rows = aligned.map((both, at) => {
      const change = change_of(both);
      counted[change]++;
      const differing = change === "arguments_differ" ? names(both[0].arguments, both[1].arguments) : null;
      const cells = both.map((call, at) => make("td", {}, side(pair[at], call, differing)));
      return make("tr", { className: `rc-compare-row-${change}` }, make("th", { scope: "row", className: "ref" }, String(at + 1)), signed(change), cells);
    });
    const sum = { same: counted.same, changed: counted.arguments_differ, first: counted.only_first, second: counted.only_second };
    return [make("p", { className: "rc-compare-sum" }, say("summary", sum)), table(say("calls"), heads("", pair), rows)];
  }

  function answers(pair) {
    const texts = pair.map(({ run }) => run.answer?.text ?? null);
    const cut = texts.every((text) => text !== null) ? words(...texts) : null;
    const column = (at) => {
      if (texts[at] === null) return make("p", { className: "rc-compare-none" }, say("absent"));
      const marked = (text) => make("mark", { className: "rc-compare-mark" }, visible(text));
      const pieces = cut ? cut[at].map(([text, differs]) => (differs ? marked(text) : visible(text))) : [visible(texts[at])];
      const pre = make("pre", { lang: "und", translate: false }, pieces);
      return pre;
    };
    const same = texts[0] === texts[1];
    const sign = make("p", {}, same ? `= ${say("same")}` : `≠ ${say("answers.other")}`);
    const columns = [0, 1].map((at) => make("div", {}, make("h3", {}, `${say(at ? "second" : "first")} · `, link(pair[at])), column(at)));
    return [sign, make("div", { className: "rc-compare-answers" }, columns)];
  }

  function draw(pair) {
    const title = (key) => make("h2", {}, say(key));
    const other_case = pair[0].run.case_id !== pair[1].run.case_id;
    shown.replaceChildren(
      ...(other_case ? [make("p", { className: "rc-compare-note" }, `⚠ ${say("other_case")}`)] : []),
      facts(pair),
      title("outcomes"),
      outcomes(pair),
      title("calls"),
      ...steps(pair),
      title("answer"),
      ...answers(pair),
    );
    const changed = pair.find((it) => it.changed);
    status.textContent = changed ? `⚠ ${say("not_as_listed", { file: `runs/${changed.address}.json` })}` : `✓ ${say("agrees")}`;
  }

  let turn = 0;
  async function show() {
    const mine = ++turn;
    const fragment = new URLSearchParams(location.hash.slice(1));
    const asked = [fragment.get("a") ?? "", fragment.get("b") ?? ""];
    inputs.forEach((input, at) => (input.value = asked[at].split("/").at(-1)));
    for (const it of document.querySelectorAll("a.rc-language")) it.hash = location.hash;
    shown.replaceChildren();
    if (!asked.every(Boolean)) return void (status.textContent = say("choose"));
    status.textContent = say("reading");
    try {
      await load("explorer/index.js");
      const pair = [];
      for (const text of asked) pair.push(await read(await resolve(text)));
      if (mine === turn) {
        inputs.forEach((input, at) => (input.value = pair[at].run.run_id));
        draw(pair);
      }
    } catch (error) {
      if (mine === turn) status.textContent = `✗ ${error.message}`;
    }
  }

  addEventListener("hashchange", show);
  place.append(form, status, shown);
  place.hidden = false;
  show();
})();
