// What pages do besides being read: find a guide, choose a step, say something in a walk without loading the page anew.
"use strict";

(() => {
  document.documentElement.classList.add("js");
  let map = null;

  function begin() {
    const root = document.querySelector(".map");
    map = root ? new window.GuideMap(root) : null;
    if (map && document.querySelector(".panel")) choose(false);
    if (map?.path.length) map.choose(map.path.at(-1));
  }

  // -- the list of guides -----------------------------------------------------------------------------------------

  const filter = document.getElementById("filter");
  if (filter) {
    filter.closest(".filter").hidden = false;
    filter.addEventListener("input", () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      for (const one of document.querySelectorAll("#guides > li")) {
        one.hidden = !words.every((word) => one.dataset.words.includes(word));
        count += one.hidden ? 0 : 1;
      }
      document.getElementById("count").textContent = count === 1 ? "1 guide" : `${count} guides`;
    });
  }

  // -- a guide ----------------------------------------------------------------------------------------------------

  function choose(isAsked) {
    const number = /^#step-(\d+)$/.exec(location.hash)?.[1];
    const first = document.querySelector('[data-kind="step"] .node') ?? document.querySelector(".node");
    const wanted = number ?? first?.closest("[data-step]").dataset.step;
    for (const one of document.querySelectorAll(".detail")) one.classList.toggle("current", one.id === `step-${wanted}`);
    map.choose(wanted);
    if (isAsked && number) document.querySelector(".detail.current h2")?.focus();
  }

  window.addEventListener("hashchange", () => {
    if (map && document.querySelector(".panel") && location.hash.startsWith("#step-")) choose(true);
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !event.target.closest(".panel")) return;
    map.steps.get(map.chosen)?.node.focus();
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.node");
    if (link && link.hash === location.hash && document.querySelector(".panel")) choose(true);
  });

  // -- a walk -----------------------------------------------------------------------------------------------------

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!document.body.classList.contains("walk-page") || form.dataset.plain) return;
    event.preventDefault();
    form.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, event.submitter)) });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      document.getElementById("main").replaceWith(document.adoptNode(page.getElementById("main")));
      document.querySelector(".top").replaceWith(document.adoptNode(page.querySelector(".top")));
      begin();
      (document.getElementById("turn") ?? document.getElementById("main")).focus({ preventScroll: true });
      window.scrollTo({ top: 0, behavior: "instant" });
    } catch {
      form.removeAttribute("aria-busy");
      form.dataset.plain = "yes"; // the server may be gone: let the browser say so
      form.requestSubmit(event.submitter);
    }
  });

  begin();
})();
