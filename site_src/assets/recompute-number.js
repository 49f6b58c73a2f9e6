// Recomputes one number: reads what it rests on, recounts, and keeps every difference between what is published and what
// was found. `runcite.Recomputation` is what recompute.js uses of it.
(() => {
  "use strict";
  const { code, partName, say, unreadable } = runcite.report;

  // The runs of a number's variant and slice, as the batch file and the evidence have them.

  const nameEndsWith = async (id) => `-${(await runcite.files.sha256OfText(id)).slice(0, 10)}`;
  const isSlice = async (name, kind, id) => {
    if (id === undefined) return null;
    const plain = /^[a-z0-9][a-z0-9_-]{0,63}$/.test(id);
    return name === `${kind}-${id}` || (!plain && name.startsWith(`${kind}-`) && name.endsWith(await nameEndsWith(id)));
  };
  const filtered = async (items, test) => {
    const kept = await Promise.all(items.map(test));
    return items.filter((_, place) => kept[place]);
  };

  // Those that may belong to the number: of a case and a category the batch file tells, unless it lacks the case.
  const candidates = (number, head) => {
    const ofVariant = head.runs.filter((run) => run.variant === number.variant);
    const kind = number.slice?.split("-")[0];
    if (kind === "case") return filtered(ofVariant, (run) => isSlice(number.slice, kind, run.case_id));
    if (kind !== "category") return ofVariant;
    const category = new Map(head.cases.map((known) => [known.id, known.category]));
    return filtered(ofVariant, async (run) => {
      return !category.has(run.case_id) || isSlice(number.slice, kind, category.get(run.case_id));
    });
  };
  const belongs = (number, evidence, published) => {
    const kind = number.slice?.split("-")[0];
    if (kind === "category") return isSlice(number.slice, kind, evidence.category);
    if (kind !== "stratum") return true;
    const timing = evidence.telemetry?.timing;
    if (!timing) return false;
    // Where the whitelist withholds what makes a stratum, the published sets are all that is known of it.
    if (!timing.authority || !timing.event) return published.has(evidence.run_id);
    return isSlice(number.slice, kind, `${timing.authority}-${timing.event}-${evidence.state.toLowerCase()}`);
  };

  // One recomputation: `differences` are what does not agree, each {say, values, run}.

  class Recomputation {
    constructor(id, files, progress) {
      Object.assign(this, { id, files, progress, batch: id.split("/")[0], differences: [], rows: [] });
    }

    differ(key, values = {}, run = null) {
      this.differences.push({ key, values, run });
    }

    async all() {
      const [numbers, table, head] = await Promise.all([
        this.files.json(`api/v1/numbers/${this.batch}.json`),
        this.files.json("api/v1/metrics.json"),
        this.files.json(`api/v1/batches/${this.batch}.json`),
      ]);
      this.head = head;
      this.numbers = new Map(numbers.map((number) => [number.id, number]));
      this.metrics = new Map(table.metrics.map((metric) => [metric.id, metric]));
      const number = this.numbers.get(this.id);
      if (!number) throw new runcite.files.Unreadable(`api/v1/numbers/${this.batch}.json`, "lacks", this.id);
      const metric = this.metrics.get(number.metric);
      if (number.evidence || !runcite.count.known.includes(metric?.aggregate)) return false;
      const value = number.compares ? await this.difference(number, metric) : (await this.one(number, metric)).value;
      this.shown(number, metric, value);
      return true;
    }

    async difference(number, metric) {
      const sides = [];
      for (const id of number.compares) sides.push((await this.one(this.numbers.get(id), metric, id)).value);
      const value = sides.includes(null) ? null : runcite.count.minus(...sides);
      this.value(number, metric, value, null);
      return value;
    }

    async one(number, metric, label = null) {
      const sets = await this.sets(number);
      const group = await this.evidence(number, new Set(Object.values(sets).flatMap((set) => [...set])));
      const found = runcite.count.recount(number, metric, this.head, group);
      this.value(number, metric, found.value, label);
      for (const name of ["numerator", "denominator"]) {
        if (number[name] !== null) this.count(name, number[name], found[name] ?? null);
      }
      this.set("denominator", sets.runs, found.runs);
      if (number.numerator_runset || found.hits) this.set("numerator", sets.hits, found.hits ?? new Set());
      if (number.missing) this.part("missing", number.missing.count, sets.missing, found.missing ?? new Set());
      for (const key of new Set([...Object.keys(number.excluded), ...Object.keys(found.excluded)])) {
        const name = `excluded:${key}`;
        this.part(name, number.excluded[key]?.count ?? 0, sets[name] ?? new Set(), found.excluded[key] ?? new Set());
      }
      return found;
    }

    value(number, metric, value, label) {
      const { agrees, exact, valueText } = runcite.count;
      const text = (it) => valueText(it, metric, number.compares !== null);
      const published = number.value === null ? null : exact(number.value);
      const isSame = agrees(number.value, value);
      const named = label === null ? say("recompute.value") : code(label);
      this.rows.push({ named, published: text(published), found: text(value), isSame });
      const exactly = (it) => (it === null ? "null" : it.d === 1n ? `${it.n}` : `${it.n}/${it.d}`);
      if (!isSame) this.differ("recompute.differs_value", { published: String(number.value), found: exactly(value) });
    }

    count(name, published, found) {
      const named = partName(name);
      this.rows.push({ named, published: String(published), found: String(found), isSame: published === found });
      if (published !== found) this.differ("recompute.differs_count", { part: named, published, found });
    }

    part(name, published, set, found) {
      this.count(name, published, found.size);
      this.set(name, set, found);
    }

    // Run by run, because sums may agree where runs do not.
    set(name, published, found) {
      const part = partName(name);
      for (const run of published) if (!found.has(run)) this.differ("recompute.not_in_evidence", { part }, run);
      for (const run of found) if (!published.has(run)) this.differ("recompute.not_in_set", { part }, run);
    }

    // The published run sets of a number; each is named by its content.
    async sets(number) {
      const named = { runs: number.runset, hits: number.numerator_runset, missing: number.missing?.runset ?? null };
      for (const [key, counted] of Object.entries(number.excluded)) named[`excluded:${key}`] = counted.runset;
      const sets = {};
      for (const [part, name] of Object.entries(named)) sets[part] = await this.runset(name);
      return sets;
    }

    async runset(name) {
      if (name === null) return new Set();
      const address = `api/v1/runsets/${this.batch}/${name[3]}.json`;
      const runs = (await this.files.json(address))[name];
      if (!runs) {
        this.differ("recompute.no_set", { name: code(name), file: code(address) });
        return new Set();
      }
      const hash = await runcite.files.sha256OfText(runs.join("\n"));
      if (name !== `rs-${hash.slice(0, 16)}`) this.differ("recompute.set_name", { name: code(name) });
      return new Set(runs);
    }

    async evidence(number, published) {
      const listed = await candidates(number, this.head);
      const names = new Set(listed.map((run) => run.run_id));
      for (const run of published) if (!names.has(run)) this.differ("recompute.not_listed", {}, run);
      this.progress(0, listed.length);
      let done = 0;
      const paths = listed.map((run) => run.evidence);
      const read = await this.files.all(paths, () => this.progress((done += 1), listed.length));
      const group = [];
      for (const [place, evidence] of read.entries()) {
        const { run_id, variant, case_id, page } = listed[place];
        if (evidence instanceof Error) this.differ(`recompute.${evidence.why}`, unreadable(evidence), run_id);
        else if (evidence.run_id !== run_id || evidence.variant !== variant || evidence.case_id !== case_id)
          this.differ("recompute.other_run", { file: code(page) }, run_id);
        else if (await belongs(number, evidence, published)) group.push(evidence);
      }
      return group;
    }

    // The text that stands on this page.
    shown(number, metric, value) {
      const link = document.querySelector(`.st-big [data-num="${CSS.escape(number.id)}"]`);
      const text = link?.firstChild?.textContent.trim() ?? "";
      const found = runcite.count.valueText(value, metric, number.compares !== null);
      this.rows.push({ named: say("recompute.on_page"), published: text, found, isSame: text === found });
      if (text !== found) this.differ("recompute.differs_page", { published: text, found });
    }

    changed() {
      const runs = new Map(this.head?.runs.map((run) => [run.evidence, run.run_id]));
      return this.files.changed.map(({ path, listed, found }) => ({
        key: listed === null ? "recompute.not_in_manifest" : "recompute.changed_file",
        values: { file: code(path), listed: code(listed ?? ""), found: code(found) },
        run: runs.get(path) ?? null,
      }));
    }
  }

  runcite.Recomputation = Recomputation;
})();
