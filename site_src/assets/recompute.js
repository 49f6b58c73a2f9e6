// The button that counts a number again in the reader's browser: reads the evidence of its runs, checks the hashes,
// recounts, and says what agrees. Without scripts the button is not shown; what it needs is loaded when it is pressed.
globalThis.runcite = { root: new URL("..", document.currentScript.src).href };
(() => {
  "use strict";
  const PARTS = ["words", "files", "count", "report", "number"];

  const load = (path) =>
    new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = runcite.root + path;
      script.onload = resolve;
      script.onerror = () => reject(new Error(path));
      document.head.append(script);
    });

  // The button. It keeps the focus while it works.

  const run = async (section) => {
    const [button, bar, told, result] = ["button", "progress", "[role=status]", ".st-result"].map((it) =>
      section.querySelector(it),
    );
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    result.replaceChildren();
    bar.hidden = false;
    bar.removeAttribute("value");
    try {
      if (!runcite.Recomputation) for (const part of PARTS) await load(`assets/recompute-${part}.js`);
      told.replaceChildren(runcite.report.say("recompute.reading"));
      const files = new runcite.files.Files(runcite.root, section.dataset.number.split("/")[0]);
      const recomputation = new runcite.Recomputation(section.dataset.number, files, (done, all) => {
        Object.assign(bar, { max: all, value: done });
      });
      const { report, failure } = runcite.report;
      const lines = await recomputation.all().then((known) => report(recomputation, known), failure);
      told.replaceChildren(lines[0]);
      result.replaceChildren(...lines.slice(1));
    } catch (error) {
      told.replaceChildren(`✗ ${error.message}`);
    }
    bar.hidden = true;
    button.removeAttribute("aria-disabled");
  };

  for (const section of document.querySelectorAll(".st-recompute")) {
    section.hidden = false;
    section.querySelector("button").addEventListener("click", () => run(section));
  }
})();
