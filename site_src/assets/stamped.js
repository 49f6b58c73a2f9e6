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

  const follow = () => {
    try {
      const scheme = JSON.parse(read(PALETTE) ?? "null")?.color?.scheme;
      if (scheme === "slate" || scheme === "default") root.dataset.mdColorScheme = scheme;
    } catch {
      // Not the theme's value: the system's colours stay.
    }
  };

  choose();
  follow();
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
