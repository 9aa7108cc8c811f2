/* Paper is white: a page that is dark on the screen is printed in its light colours, figures included. */
(() => {
  const root = document.documentElement, printing = window.matchMedia("print");
  let dark = false;

  function light() {
    if (root.dataset.theme !== "dark") return;
    dark = true;
    root.dataset.theme = "light";
  }

  function back() {
    if (dark) root.dataset.theme = "dark";
    dark = false;
  }

  window.addEventListener("beforeprint", light);
  window.addEventListener("afterprint", back);
  printing.addEventListener("change", () => (printing.matches ? light : back)());
})();
