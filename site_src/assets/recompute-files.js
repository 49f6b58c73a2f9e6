// Reads files of the site and checks their SHA-256 against the manifest. From a folder a page may read no file by
// itself: there, scripts put copies of them into `runcite.copy`. `runcite.files` is what recompute.js uses of it.
(() => {
  "use strict";
  const AT_ONCE = 8;
  const K = [];
  for (let n = 2; K.length < 64; n += 1) {
    let isPrime = true;
    for (let d = 2; d * d <= n; d += 1) isPrime &&= n % d !== 0;
    if (isPrime) K.push(Math.floor((Math.cbrt(n) % 1) * 2 ** 32) >>> 0);
  }
  const START = [2, 3, 5, 7, 11, 13, 17, 19].map((prime) => Math.floor((Math.sqrt(prime) % 1) * 2 ** 32) >>> 0);

  const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  // FIPS 180-4, for pages that a browser gives no cryptography: those from plain http.
  const ownSha256 = (data) => {
    const padded = new Uint8Array(Math.ceil((data.length + 9) / 64) * 64);
    padded.set(data);
    padded[data.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(data.length / 2 ** 29));
    view.setUint32(padded.length - 4, (data.length << 3) >>> 0);
    const turn = (x, n) => (x >>> n) | (x << (32 - n));
    const state = [...START];
    const w = new Uint32Array(64);
    for (let block = 0; block < padded.length; block += 64) {
      for (let t = 0; t < 16; t += 1) w[t] = view.getUint32(block + 4 * t);
      for (let t = 16; t < 64; t += 1) {
        const s0 = turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ (w[t - 15] >>> 3);
        const s1 = turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ (w[t - 2] >>> 10);
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let t = 0; t < 64; t += 1) {
        const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[t] + w[t]) | 0;
        const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((value, place) => (state[place] = (state[place] + value) >>> 0));
    }
    return state.map((word) => word.toString(16).padStart(8, "0")).join("");
  };

  const sha256 = async (data) =>
    globalThis.crypto?.subtle ? hex(new Uint8Array(await crypto.subtle.digest("SHA-256", data))) : ownSha256(data);

  // What cannot be read, in words of `recompute.unreadable`.
  class Unreadable extends Error {
    constructor(path, why, detail = "") {
      super(`${path}: ${why} ${detail}`.trim());
      Object.assign(this, { path, why, detail });
    }
  }

  const copies = new Map();
  runcite.copy = ({ pieces, files }) => {
    for (const [path, file] of Object.entries(files)) {
      const text = file.pieces.split(" ").map((place) => pieces[place]).join("");
      copies.set(path, { sha256: file.sha256, data: new TextEncoder().encode(text) });
    }
  };

  const load = (root, path) =>
    new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = root + path;
      script.onload = () => resolve(script.remove());
      script.onerror = () => reject(new Unreadable(path, "missing"));
      document.head.append(script);
    });

  // Reads through copies. They are loaded when they are needed; of the numbered ones, until one has the file.
  const fromCopies = (root, batch) => {
    let part = 0;
    let ended = null;
    let loading = Promise.resolve();
    const loadPart = async (path) => {
      if (ended) throw new Unreadable(path, "missing");
      part += 1;
      await load(root, `copies/${batch}/${part}.js`).catch((error) => {
        ended = error;
        throw error;
      });
    };
    const next = async (path) => {
      if (copies.has(path)) return;
      if (path === "api/v1/metrics.json") await load(root, "copies/metrics.js");
      else if (path.startsWith("api/")) await load(root, `copies/${batch}/head.js`);
      else while (!copies.has(path)) await loadPart(path);
    };
    const copy = async (path) => {
      const turn = loading.then(() => next(path));
      loading = turn.catch(() => {});
      await turn;
      if (!copies.has(path)) throw new Unreadable(path, "missing");
      return copies.get(path);
    };
    return { data: async (path) => (await copy(path)).data, listed: async (path) => (await copy(path)).sha256 };
  };

  const fetched = async (root, path) => {
    let response;
    try {
      response = await fetch(root + path, { cache: "no-cache" });
    } catch (error) {
      throw new Unreadable(path, "refused", error.message);
    }
    if (!response.ok) throw new Unreadable(path, response.status === 404 ? "missing" : "status", response.status);
    return new Uint8Array(await response.arrayBuffer());
  };

  const parsed = (path, data) => {
    try {
      return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data));
    } catch (error) {
      throw new Unreadable(path, "malformed", error.message);
    }
  };

  const fromServer = (root) => {
    let manifest = null;
    const listed = async (path) => {
      manifest ??= fetched(root, "manifest.json").then(
        (data) => new Map(parsed("manifest.json", data).files.map((file) => [file.path, file.sha256])),
      );
      return (await manifest).get(path);
    };
    return { data: (path) => fetched(root, path), listed };
  };

  // `read`, `agreed` count files and hashes that agree; `changed` are files whose hash does not.
  class Files {
    constructor(root, batch) {
      this.areCopies = location.protocol === "file:";
      this.read = 0;
      this.agreed = 0;
      this.changed = [];
      this.source = this.areCopies ? fromCopies(root, batch) : fromServer(root);
      this.known = new Map();
    }

    json(path) {
      if (!this.known.has(path)) this.known.set(path, this.readOnce(path));
      return this.known.get(path);
    }

    async readOnce(path) {
      const data = await this.source.data(path);
      this.read += 1;
      const [found, listed] = [await sha256(data), await this.source.listed(path)];
      if (found === listed) this.agreed += 1;
      else this.changed.push({ path, listed: listed ?? null, found });
      return parsed(path, data);
    }

    // All of them, a few at a time; an `Unreadable` in the place of one that cannot be read.
    async all(paths, progress) {
      const results = [];
      let next = 0;
      const work = async () => {
        while (next < paths.length) {
          const place = next;
          next += 1;
          results[place] = await this.json(paths[place]).catch((error) => error);
          if (results[place] instanceof Error && !(results[place] instanceof Unreadable)) throw results[place];
          progress();
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return results;
    }
  }

  const sha256OfText = (text) => sha256(new TextEncoder().encode(text));
  runcite.files = { Files, Unreadable, load, sha256, sha256OfText, ownSha256 };
})();
