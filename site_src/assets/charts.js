// Comfort for charts: PNG, made here because the fonts of the reader are at hand, and the same chart live, drawn by Vega.
// Nothing of Vega is loaded before somebody asks for it.
window.runcite = window.runcite || {};
(() => {
  "use strict";
  const SCALE = 3;

  const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

  // An image may hold no style sheet of the page: what it needs stands in the elements themselves.
  function standing_alone(svg) {
    const copy = svg.cloneNode(true);
    const [from, to] = [svg, copy].map((it) => [it, ...it.querySelectorAll("*")]);
    to.forEach((element, at) => {
      const style = getComputedStyle(from[at]);
      for (const name of ["fill", "stroke"]) if (element.hasAttribute(name) && !element.getAttribute(name).startsWith("url")) element.setAttribute(name, style[name]);
    });
    const [width, height] = svg.getAttribute("viewBox").split(" ").slice(2).map(Number);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", width * SCALE);
    copy.setAttribute("height", height * SCALE);
    copy.setAttribute("font-family", getComputedStyle(svg).fontFamily);
    return { text: new XMLSerializer().serializeToString(copy), width: width * SCALE, height: height * SCALE };
  }

  async function save_png(figure, name) {
    const svg = figure.querySelector("svg.rc-drawing");
    const { text, width, height } = standing_alone(svg);
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = make("canvas", { width, height });
    const ink = canvas.getContext("2d");
    ink.fillStyle = getComputedStyle(document.body).backgroundColor;
    ink.fillRect(0, 0, width, height);
    ink.drawImage(image, 0, 0, width, height);
    make("a", { href: canvas.toDataURL("image/png"), download: `${name}.png` }).click();
  }

  const load = (src) =>
    new Promise((resolve, reject) => {
      const script = make("script", { src, onload: resolve, onerror: () => reject(new Error(src)) });
      document.head.append(script);
    });

  // Colours of the file as variables of the page, so that it follows light and dark.
  function with_variables(text) {
    const style = getComputedStyle(document.documentElement);
    const names = ["ink", "soft", "line", "bg", "accent", "good", "bad", "open", "v1", "v2", "v3", "v4", "v5", "v6"];
    const light = { ink: "#1b1f24", soft: "#59626e", line: "#dfe3e8", bg: "#ffffff", accent: "#2454c4", good: "#1f7a4d", bad: "#b3382c", open: "#8a6100", v1: "#2454c4", v2: "#b35c00", v3: "#5b4bb7", v4: "#0b7a75", v5: "#a3356f", v6: "#4f6b12" };
    return names.reduceRight((all, name) => all.replaceAll(light[name], style.getPropertyValue(`--rc-${name}`).trim() || light[name]), text);
  }

  const LOOKS = ["colour", "shape", "size", "y", "y2", "zero"];
  const said = (value) =>
    Object.entries(value ?? {})
      .filter(([name]) => !LOOKS.includes(name))
      .map(([name, it]) => `${name} ${typeof it === "number" ? Number(it.toPrecision(4)) : it}`)
      .join(" · ");

  async function show_live(figure, address) {
    const place = figure.querySelector(":scope > .rc-scroll");
    const response = await fetch(address);
    if (!response.ok) throw new Error(address);
    const specification = JSON.parse(with_variables(await response.text()));
    if (!window.runcite.live) await load(new URL("../../../assets/vega/live.js", address).href);
    const drawn = make("div", { className: "rc-live" });
    drawn.setAttribute("role", "img");
    const told = make("p", { className: "rc-live-value" });
    told.setAttribute("role", "status");
    await window.runcite.live(drawn, specification, (value) => (told.textContent = said(value)));
    place.replaceChildren(drawn, told);
  }

  for (const line of document.querySelectorAll(".rc-chart-files")) {
    const figure = line.closest("figure");
    const specification = line.querySelector("a[href$='.vl.json']").href;
    const name = specification.split("/").at(-1).replace(".vl.json", "");
    const png = make("button", { type: "button", className: "rc-chart-button", textContent: line.dataset.png });
    png.addEventListener("click", () => save_png(figure, name));
    line.append(" ", png);
    if (location.protocol === "file:") continue; // a page from a folder may read no file
    const live = make("button", { type: "button", className: "rc-chart-button", textContent: line.dataset.live });
    live.addEventListener("click", async () => {
      live.disabled = true;
      await show_live(figure, specification).catch(() => line.append(` ${line.dataset.failed}`));
    });
    line.append(" ", live);
  }
})();
