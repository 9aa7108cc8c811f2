/* Long tables with a form above them: leave the rows that have the chosen values and the text. The page is whole without it. */
(() => {
  const plain = (text) => text.toLowerCase().replace(/\s+/g, " ").trim();

  function prepare(box) {
    const form = box.querySelector("form"), count = box.querySelector(".count"), search = form.querySelector("input");
    const choices = [...form.querySelectorAll("select")];
    const rows = [...box.querySelectorAll("tbody tr")].map((row) => {
      const cells = [...row.cells].map((cell) => cell.textContent.trim());
      return { row, cells, all: plain(cells.join(" ")) };
    });

    function apply() {
      const words = plain(search.value).split(" ").filter(Boolean);
      const wanted = choices.filter((choice) => choice.value).map(({ dataset, value }) => [Number(dataset.column), value.trim()]);
      let shown = 0;
      for (const { row, all, cells } of rows) {
        row.hidden = !(wanted.every(([column, value]) => cells[column] === value) && words.every((word) => all.includes(word)));
        shown += row.hidden ? 0 : 1;
      }
      count.textContent = `${shown} of ${rows.length} rows`;
    }

    box.querySelector(".scroll").tabIndex = 0;   // it scrolls by keyboard, however few rows are left
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(apply));   // the values change after the event
    form.hidden = false;
    apply();
  }

  document.querySelectorAll(".filterable").forEach(prepare);
})();
