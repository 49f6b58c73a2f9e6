// Counts a number again from the evidence of its runs: exact fractions of integers of any size, no floating point.
// Knows nothing of pages or files. `runcite.count` is what recompute.js uses of it.
(() => {
  "use strict";
  const NOT_GIVEN = "not_given";
  const FEW_RUNS = "fewer_than_k_valid_runs";

  // Fractions: {n, d}, lowest terms, d > 0.

  const gcd = (a, b) => {
    while (b) [a, b] = [b, a % b];
    return a < 0n ? -a : a;
  };
  const fraction = (n, d = 1n) => {
    const common = gcd(n, d) || 1n;
    return { n: n / common, d: d / common };
  };
  const plus = (a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
  const minus = (a, b) => fraction(a.n * b.d - b.n * a.d, a.d * b.d);
  const times = (a, b) => fraction(a.n * b.n, a.d * b.d);
  const over = (a, count) => fraction(a.n, a.d * BigInt(count));
  const isLess = (a, b) => a.n * b.d < b.n * a.d;
  const absolute = (a) => ({ n: a.n < 0n ? -a.n : a.n, d: a.d });

  // The exact value of a JSON number: of its decimal text, not of the binary number behind it.
  const exact = (value) => {
    const [, sign, whole, part = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value));
    const power = Number(exponent) - part.length;
    const digits = BigInt(sign + whole + part);
    return power < 0 ? fraction(digits, 10n ** BigInt(-power)) : fraction(digits * 10n ** BigInt(power));
  };

  // What is published has twelve significant digits.
  const agrees = (published, value) => {
    if (published === null || value === null) return published === value;
    const apart = absolute(minus(exact(published), value));
    return !isLess(times(absolute(value), { n: 5n, d: 10n ** 12n }), apart);
  };

  // The text of a value, as pages write it: rounded half away from zero on the exact value.
  const decimals = (value, places) => {
    const { n, d } = absolute(times(value, fraction(10n ** BigInt(places))));
    const rounded = (2n * n + d) / (2n * d);
    const digits = String(rounded).padStart(places + 1, "0");
    const whole = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, ",");
    const sign = value.n < 0n && rounded > 0n ? "\u2212" : "";
    return { sign, text: sign + whole + (places ? `.${digits.slice(-places)}` : ""), isZero: rounded === 0n };
  };
  const valueText = (value, metric, isDifference) => {
    if (value === null) return "\u2014";
    const { sign, text, isZero } = decimals(
      metric.unit === "ratio" ? times(value, fraction(100n)) : value,
      metric.decimals,
    );
    if (isDifference) return sign || isZero ? text : `+${text}`;
    return { ratio: `${text}%`, usd: `$${text}` }[metric.unit] ?? text;
  };

  const choose = (n, k) => {
    let ways = 1n;
    for (let i = 0; i < k; i += 1) ways = (ways * BigInt(n - i)) / BigInt(i + 1);
    return ways;
  };

  const mean = (values) => over(values.reduce(plus, fraction(0n)), values.length);

  // percentile_cont: linear between the two values around rank (n − 1)·p.
  const quantile = (values, p) => {
    const ordered = [...values].sort((a, b) => (isLess(a, b) ? -1 : Number(isLess(b, a))));
    const place = times(fraction(BigInt(ordered.length - 1)), p);
    const below = Number(place.n / place.d);
    const above = Math.min(below + 1, ordered.length - 1);
    const share = minus(place, fraction(BigInt(below)));
    return plus(ordered[below], times(share, minus(ordered[above], ordered[below])));
  };

  const ids = (runs) => new Set(runs.map((run) => run.run_id));

  // The runs to which the metric applies, with its assertion; and the others by the reason why they do not count.
  const judge = (group, metric) => {
    const judged = [];
    const excluded = {};
    for (const run of group) {
      const assertion = run.assertions[metric];
      let key = null;
      if (run.validity !== "valid") key = `${run.validity}:${run.reason ?? NOT_GIVEN}`;
      else if (!assertion || assertion.outcome === "not_applicable")
        key = `not_applicable:${assertion?.reason ?? NOT_GIVEN}`;
      if (key === null) judged.push({ run_id: run.run_id, case_id: run.case_id, ...assertion });
      else (excluded[key] ??= new Set()).add(run.run_id);
    }
    return { judged, excluded };
  };

  const proportion = (judged) => {
    const hits = judged.filter((run) => run.outcome === "hit");
    return {
      value: judged.length ? fraction(BigInt(hits.length), BigInt(judged.length)) : null,
      numerator: hits.length,
      denominator: judged.length,
      runs: ids(judged),
      hits: ids(hits),
    };
  };

  const sample = (judged, reduce) => {
    const measured = judged.filter((run) => run.value !== null);
    return {
      value: measured.length ? reduce(measured.map((run) => exact(run.value))) : null,
      denominator: measured.length,
      runs: ids(measured),
      missing: ids(judged.filter((run) => run.value === null)),
    };
  };

  // The mean over the cases with k valid runs or more of C(passed, k) ÷ C(valid, k).
  const passHat = (judged, k, excluded) => {
    const cases = new Map();
    for (const run of judged) cases.set(run.case_id, [...(cases.get(run.case_id) ?? []), run]);
    const enough = [...cases.values()].filter((runs) => runs.length >= k);
    const few = [...cases.values()].filter((runs) => runs.length < k).flat();
    if (few.length) excluded[`not_applicable:${FEW_RUNS}`] = ids(few);
    const shares = enough.map((runs) =>
      fraction(choose(runs.filter((run) => run.outcome === "hit").length, k), choose(runs.length, k)),
    );
    return { value: shares.length ? mean(shares) : null, denominator: enough.length, runs: ids(enough.flat()) };
  };

  const count = (number, head, group) => {
    const kind = number.metric.replace(/^runs_/, "");
    const whole = (cells) => ({ value: fraction(BigInt(cells)), runs: new Set(), excluded: {} });
    if (kind === "planned") return whole(head.grid.cases.length * head.grid.repeats);
    if (kind === "skipped") return whole(head.skipped.filter((cell) => cell.variant === number.variant).length);
    const counted = group.filter((run) => [run.validity, run.state.toLowerCase()].includes(kind));
    return { ...whole(counted.length), runs: ids(counted) };
  };

  // A number that is no difference, from the evidence of all runs of its group: value, counts and sets of run ids.
  const recount = (number, metric, head, group) => {
    if (metric.aggregate === "count") return count(number, head, group);
    const { judged, excluded } = judge(group, metric.aggregate === "pass_hat" ? head.pass_metric : metric.id);
    const ways = {
      proportion: () => proportion(judged),
      mean: () => sample(judged, mean),
      quantile: () => sample(judged, (values) => quantile(values, exact(metric.p))),
      pass_hat: () => passHat(judged, metric.k, excluded),
    };
    return { ...ways[metric.aggregate](), excluded };
  };

  const known = ["proportion", "mean", "quantile", "pass_hat", "count"];
  runcite.count = { agrees, exact, known, minus, recount, valueText };
})();
