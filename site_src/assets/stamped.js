// Comfort for stamped pages: keeps the reader's choice of language, and follows the theme's choice of colours.
// Without this script the page shows Chinese, or English where the address ends in #en, and the system's colours.
(() => {
  "use strict";
  const root = document.documentElement;
  const LANGUAGE = "runcite.language";
  const PALETTE = "/.__palette";

  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const keep = (key, value) => {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Storage is switched off: the choice holds for this page.
    }
  };

  const languageOf = (hash) => ({ "#en": "en", "#zh": "zh-CN" })[hash];

  const show = (language) => {
    root.lang = language;
    root.dataset.lang = language;
  };

  const choose = () => {
    const asked = languageOf(location.hash);
    if (asked) keep(LANGUAGE, asked);
    const language = asked ?? read(LANGUAGE);
    if (language === "en" || language === "zh-CN") show(language);
  };

  // The theme's choices, in its order and words, as it keeps them: what is chosen here holds there, and the reverse.
  const CHOICES = [
    { mark: "◐", media: "(prefers-color-scheme)", scheme: "default", zh: "配色：跟随系统", en: "Colours: as the system" },
    { mark: "☀", media: "(prefers-color-scheme: light)", scheme: "default", zh: "配色：浅色", en: "Colours: light" },
    { mark: "☾", media: "(prefers-color-scheme: dark)", scheme: "slate", zh: "配色：深色", en: "Colours: dark" },
  ];
  const chosen = () => {
    try {
      const media = JSON.parse(read(PALETTE) ?? "null")?.color?.media;
      return Math.max(0, CHOICES.findIndex((choice) => choice.media === media));
    } catch {
      return 0;
    }
  };
  const paint = (index) => {
    if (index) root.dataset.mdColorScheme = CHOICES[index].scheme;
    else delete root.dataset.mdColorScheme;
  };
  const addSwitch = () => {
    let index = chosen();
    const button = document.createElement("button");
    button.type = "button";
    button.className = "st-palette";
    const name = () => {
      const { mark, zh, en } = CHOICES[index];
      button.textContent = mark;
      button.title = root.lang === "en" || location.hash === "#en" ? en : zh;
      button.setAttribute("aria-label", button.title);
    };
    button.addEventListener("click", () => {
      index = (index + 1) % CHOICES.length;
      const { media, scheme } = CHOICES[index];
      keep(PALETTE, JSON.stringify({ index, color: { media, scheme, primary: "custom", accent: "custom" } }));
      paint(index);
      name();
    });
    name();
    addEventListener("hashchange", name);
    document.querySelector(".st-top").append(button);
  };

  choose();
  paint(chosen());
  addEventListener("DOMContentLoaded", addSwitch);
  addEventListener("hashchange", choose);

  // Paper has no way to unfold.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const fold of opened) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of opened) fold.open = false;
  });
})();
