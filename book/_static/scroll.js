/* What is wider than the page scrolls: make it reachable by keyboard, and say that it scrolls. */
(() => {
  const SCROLLERS = ".bd-article :is(.scroll, .pst-scrollable-table-container, .text_html, figure, div.math mjx-container, pre)";

  function mark(box) {
    const wide = box.scrollWidth > box.clientWidth + 1, reachable = wide || box.scrollHeight > box.clientHeight + 1;
    if (reachable) box.tabIndex = 0;   // the theme does so late, and for some
    else if (!box.closest(".filterable")) box.removeAttribute("tabindex");
    if (wide === box.classList.contains("scrolls")) return;
    box.classList.toggle("scrolls", wide);
    if (box.matches("pre")) return;
    const shown = box.closest("div.math") ?? box;
    if (wide) {
      const hint = document.createElement("p");
      hint.className = "scroll-hint";
      hint.textContent = "Scroll sideways to see all of it \u2192";
      shown.before(hint);
    } else if (shown.previousElementSibling?.matches(".scroll-hint")) {
      shown.previousElementSibling.remove();
    }
  }

  function all() {
    document.querySelectorAll(SCROLLERS).forEach(mark);
  }

  window.addEventListener("load", () => Promise.resolve(window.MathJax?.startup?.promise).then(all));
  window.addEventListener("resize", all);
  document.fonts?.ready.then(all);   // text of another width
  const sizes = new ResizeObserver(all);
  document.querySelectorAll(SCROLLERS).forEach((box) => sizes.observe(box));
  document.addEventListener("toggle", all, true);
})();
