// What the reader sees of a recomputation: elements, and the report. `runcite.report` is what the other scripts use.
(() => {
  "use strict";
  const MOST_NAMED = 20;
  const LANGS = [
    ["zh", "zh-CN"],
    ["en", "en"],
  ];

  // Elements. A text stands in both languages; the style sheet shows one.

  const element = (name, ...children) => {
    const made = document.createElement(name);
    made.append(...children);
    return made;
  };
  const code = (text) => {
    const made = element("code", text);
    made.translate = false;
    return made;
  };
  const say = (key, values = {}) => {
    const spans = LANGS.map(([lang, tag]) => {
      const span = element("span", ...pieces(runcite.words[lang][key], values));
      span.lang = tag;
      return span;
    });
    const both = document.createDocumentFragment();
    both.append(...spans);
    return both;
  };
  const pieces = (text, values) =>
    text.split(/\{(\w+)\}/).map((piece, place) => {
      if (place % 2 === 0) return piece;
      const value = piece === "algorithm" ? "SHA-256" : values[piece];
      return value instanceof Node ? value.cloneNode(true) : String(value);
    });

  // What was counted, by the name that the number page gives it; its code where the page has no such row.
  const partName = (part) => {
    const cell = document.querySelector(`tr [data-of][data-part="${CSS.escape(part)}"]`)?.closest("tr")?.cells[0];
    const name = document.createDocumentFragment();
    if (cell) name.append(...cell.cloneNode(true).childNodes);
    else name.append(runcite.words.en[`recompute.parts.${part}`] ? say(`recompute.parts.${part}`) : code(part));
    return name;
  };

  const unreadable = (error) => ({ file: code(error.path), detail: String(error.detail) });

  const listed = (recomputation) => {
    const all = [...recomputation.changed(), ...recomputation.differences];
    const pages = new Map(recomputation.head?.runs.map((run) => [run.run_id, run.page]));
    const items = all.slice(0, MOST_NAMED).map(({ key, values, run }) => {
      const item = element("li");
      if (run !== null) {
        const name = element(pages.has(run) ? "a" : "bdi", run);
        if (pages.has(run)) name.href = runcite.root + pages.get(run);
        name.translate = false;
        item.append(name, say("common.colon"));
      }
      item.append(say(key, values));
      return item;
    });
    if (all.length > MOST_NAMED) items.push(element("li", say("recompute.more", { count: all.length - MOST_NAMED })));
    return items.length ? [element("ul", ...items)] : [];
  };

  const table = (rows) => {
    const heading = (key) => {
      if (!key) return element("td");
      const cell = element("th", say(key));
      cell.scope = "col";
      return cell;
    };
    const head = element("tr", ...["recompute.what", "recompute.published", "recompute.recomputed", ""].map(heading));
    const body = rows.map(({ named, published, found, isSame }) => {
      const name = element("th", named);
      name.scope = "row";
      const mark = element("td", isSame ? "✓ " : "✗ ", say(isSame ? "recompute.same" : "recompute.other"));
      mark.className = isSame ? "st-agrees" : "st-differs";
      return element("tr", name, element("td", published), element("td", found), mark);
    });
    const made = element("table", element("thead", head), element("tbody", ...body));
    made.className = "st-narrow";
    const frame = element("div", made);
    frame.className = "st-scroll";
    frame.tabIndex = 0;
    return frame;
  };

  const verdict = (agrees, key, values) => {
    const line = element("p", element("strong", agrees ? "✓ " : "✗ ", say(key, values)));
    line.className = agrees ? "st-agrees" : "st-differs";
    return line;
  };

  const report = (recomputation, isKnown) => {
    const { files, rows, differences } = recomputation;
    const counted = { files: files.read, hashes: files.agreed, changed: files.changed.length };
    const read = [element("p", say(files.areCopies ? "recompute.read_copies" : "recompute.read", counted))];
    if (!isKnown) return [element("p", element("strong", say("recompute.unknown"))), ...read];
    const wrong = differences.length + counted.changed;
    return [
      wrong ? verdict(false, "recompute.differs", { count: wrong }) : verdict(true, "recompute.agrees", {}),
      ...listed(recomputation),
      table(rows),
      ...read,
      element("p", say("recompute.proves")),
      element("p", say("recompute.not")),
    ];
  };

  const failure = (error) => {
    if (error.path) return [verdict(false, `recompute.${error.why}`, unreadable(error))];
    return [verdict(false, "recompute.failed", { detail: error.message })];
  };

  runcite.report = { code, failure, partName, report, say, unreadable };
})();
