// A run id typed into the search leads to the page of all runs: the search itself knows pages for readers alone.
(() => {
  "use strict";
  const input = document.querySelector(".md-search__input");
  const link = document.querySelector(".rc-search-runs");
  if (!input || !link) return;
  const page = link.getAttribute("href");
  const offer = () => {
    const text = input.value.trim();
    link.hidden = text.length < 3 || !/\d/.test(text);
    link.querySelector("bdi").textContent = text;
    link.href = `${page}#${new URLSearchParams({ text })}`;
  };
  input.addEventListener("input", offer);
  input.addEventListener("focus", offer);
})();
