// What differs between two runs: calls aligned, arguments by name, answers word by word. `runcite.differences` is what
// compare.js uses of it. The alignment is the one that evidence pages state, where tests hold the two together.
window.runcite = window.runcite || {};
(() => {
  "use strict";
  const NEVER = 2 ** 30;
  const MOST_CALLS = 4_000_000; // pairs that are looked at
  const MOST_WORDS = 4_000_000;

  // The same text for the same value, whatever the order of its names.
  function canonical(value) {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
    const names = Object.keys(value).sort();
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
  }

  const is_treated = (value) =>
    Object.keys(value).sort().join(" ") === "length sha256 text truncated";
  const has_names = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && !is_treated(value);

  function calls_of(run) {
    return (run.trace ?? [])
      .map((step, place) => ({ ...step, step: place + 1 }))
      .filter((step) => step.kind !== "model")
      .map((step) => ({ ...step, key: canonical(step.arguments ?? null) }));
  }

  // The pairs with the least cost; `cost(a, b)` is 0, 1 or NEVER, and an element alone costs 1. Of several, the one that
  // keeps elements together from the beginning, and then names what is in the first alone.
  function align(first, second, cost) {
    const width = second.length + 1;
    const left = new Int32Array((first.length + 1) * width);
    for (let i = first.length; i >= 0; i--)
      for (let j = second.length; j >= 0; j--) {
        if (i === first.length && j === second.length) continue;
        const both = i < first.length && j < second.length ? left[(i + 1) * width + j + 1] + cost(first[i], second[j]) : NEVER;
        const one = i < first.length ? left[(i + 1) * width + j] + 1 : NEVER;
        const other = j < second.length ? left[i * width + j + 1] + 1 : NEVER;
        left[i * width + j] = Math.min(both, one, other);
      }
    const pairs = [];
    let [i, j] = [0, 0];
    while (i < first.length || j < second.length) {
      const best = left[i * width + j];
      const both = i < first.length && j < second.length;
      if (both && best === left[(i + 1) * width + j + 1] + cost(first[i], second[j])) pairs.push([first[i++], second[j++]]);
      else if (i < first.length && best === left[(i + 1) * width + j] + 1) pairs.push([first[i++], null]);
      else pairs.push([null, second[j++]]);
    }
    return pairs;
  }

  const of_call = (a, b) => (a.tool !== b.tool ? NEVER : a.key === b.key ? 0 : 1);

  // Pairs of calls; where there are too many to align, in the order in which they were made.
  function calls(first, second) {
    const [one, other] = [calls_of(first), calls_of(second)];
    if (one.length * other.length <= MOST_CALLS) return align(one, other, of_call);
    const most = Math.max(one.length, other.length);
    const pairs = Array.from({ length: most }, (_, at) => [one[at] ?? null, other[at] ?? null]);
    return pairs.flatMap(([a, b]) => (a && b && a.tool !== b.tool ? [[a, null], [null, b]] : [[a, b]]));
  }

  const change_of = ([a, b]) => (!a ? "only_second" : !b ? "only_first" : a.key === b.key ? "same" : "arguments_differ");

  // Names of arguments that one side has alone, or with another value; null where they have no names.
  function names(one, other) {
    if (!has_names(one ?? null) || !has_names(other ?? null)) return null;
    const every = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    const value = (of, name) => (Object.hasOwn(of, name) ? canonical(of[name]) : undefined);
    return new Set(every.filter((name) => value(one, name) !== value(other, name)));
  }

  // Pieces [text, differs] of two texts; null where they are too long to compare word by word.
  function words(first, second) {
    const cut = (text) => text.match(/[\p{Script=Han}]|[^\s\p{Script=Han}]+|\s+/gu) ?? [];
    const [one, other] = [cut(first), cut(second)];
    let [start, end] = [0, 0];
    while (start < one.length && start < other.length && one[start] === other[start]) start++;
    while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end++;
    const middle = [one, other].map((all) => all.slice(start, all.length - end));
    if (middle[0].length * middle[1].length > MOST_WORDS) return null;
    const pairs = align(...middle, (a, b) => (a === b ? 0 : NEVER));
    const alike = (all, from, to) => [[all.slice(from, to).join(""), false]];
    const side = (at, all) => [
      ...alike(all, 0, start),
      ...pairs.filter((pair) => pair[at] !== null).map((pair) => [pair[at], pair[0] === null || pair[1] === null]),
      ...alike(all, all.length - end, all.length),
    ];
    return [joined(side(0, one)), joined(side(1, other))];
  }

  const joined = (pieces) =>
    pieces.reduce((all, [text, differs]) => {
      if (text && all.length && all.at(-1)[1] === differs) all.at(-1)[0] += text;
      else if (text) all.push([text, differs]);
      return all;
    }, []);

  // As pages write foreign text: what cannot be seen, or reorders what is seen, as a mark.
  const UNSEEN = new RegExp(
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f" +
      "\\u2028-\\u202e\\u2060-\\u206f\\u27e6\\u3164\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\uffff\\ufdd0-\\ufdef\\u{1bca0}-\\u{1bca3}" +
      "\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]|\\p{Surrogate}|(?<![^\\ufe0e\\ufe0f])[\\ufe0e\\ufe0f]",
    "gu",
  );
  const visible = (text) =>
    text.replace(UNSEEN, (sign) => `⟦U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟧`);

  window.runcite.differences = { calls, calls_of, change_of, has_names, names, words, visible };
})();
