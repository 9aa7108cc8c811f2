/* Results of a search. A page that was opened from disk may not read others: there, results are titles without a line of their text.
   Clients' pages have the titles of the example's, so a result says whose it is. */
(() => {
  if (window.location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

  const results = document.getElementById("search-results");

  function name() {
    results.querySelectorAll("li:not(.of)").forEach((item) => {
      const link = item.querySelector("a[href]"), client = link && /\bclients\/([^/]+)\//.exec(link.getAttribute("href"));
      if (!link) return;
      item.classList.add("of");
      if (client) link.append(" ", Object.assign(document.createElement("small"), { textContent: decodeURIComponent(client[1]) }));
    });
  }

  if (results) new MutationObserver(name).observe(results, { childList: true, subtree: true });
})();
