// Comfort for tables: a button in each heading of a sortable table sorts the rows of every group, and groups can be
// shown one at a time. Without it the tables are complete, in the order of the report.
(() => {
  "use strict";
  const key = (row, column) => {
    const cell = row.cells[column];
    return "sort" in cell.dataset ? Number(cell.dataset.sort) : cell.textContent.trim();
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });

  function sort(table, column, sign) {
    for (const body of table.tBodies) {
      const rows = [...body.rows].filter((row) => !row.classList.contains("rc-group"));
      rows.sort((a, b) => sign * compare(key(a, column), key(b, column)) || a.dataset.place - b.dataset.place);
      body.append(...rows);
    }
  }

  for (const table of document.querySelectorAll("table[data-sortable]")) {
    const headings = [...table.tHead.rows[0].cells];
    for (const body of table.tBodies) [...body.rows].forEach((row, place) => (row.dataset.place = place));
    headings.forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "rc-sort";
      button.textContent = "↕";
      button.setAttribute("aria-label", `↕ ${heading.textContent.trim()}`);
      button.addEventListener("click", () => {
        const ascending = heading.getAttribute("aria-sort") !== "ascending";
        headings.forEach((other) => other.removeAttribute("aria-sort"));
        heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
        sort(table, column, ascending ? 1 : -1);
      });
      heading.append(" ", button);
    });
  }

  // The chooser stands before its table; its choices are the groups of the table.
  for (const label of document.querySelectorAll(".rc-by-group")) {
    const table = [...document.querySelectorAll("table[data-sortable]")].find(
      (it) => label.compareDocumentPosition(it) & Node.DOCUMENT_POSITION_FOLLOWING,
    );
    const groups = [...(table?.tBodies ?? [])].filter((body) => body.querySelector(".rc-group"));
    if (groups.length < 2) continue;
    const chooser = label.querySelector("select");
    groups.forEach((body, place) => chooser.add(new Option(body.querySelector(".rc-group th").textContent.trim(), place)));
    const show = () => groups.forEach((body, place) => (body.hidden = chooser.value !== "" && chooser.value !== String(place)));
    chooser.addEventListener("change", show);
    // Paper has no choices: all of the table is printed.
    addEventListener("beforeprint", () => groups.forEach((body) => (body.hidden = false)));
    addEventListener("afterprint", show);
    label.hidden = false;
  }
})();
