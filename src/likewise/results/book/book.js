"use strict";
// Reads the data beside it, and adds to the plain page: a filter, the linked passage in a panel with what matches
// marked in both texts, chords of the chosen passage in the map, and keys. Text is only ever set as text.
(function () {
  const root = document.documentElement;
  const data = JSON.parse(document.getElementById("data").textContent);
  const panel = document.getElementById("panel");
  const chosen = document.getElementById("chosen");
  const level = document.getElementById("level");
  let marked = null; // the passage in the text that shows marks now, and its link
  let opener = null;
  root.classList.add("js");

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // The text cut at the edges of sentences and terms: nested spans never overlap, terms lie inside sentences or outside.
  function withMarks(text, sentences, terms) {
    const made = document.createDocumentFragment();
    const edges = new Set([0, text.length]);
    for (const [start, end] of sentences.concat(terms)) { edges.add(start); edges.add(end); }
    const cuts = Array.from(edges).filter((edge) => edge >= 0 && edge <= text.length).sort((a, b) => a - b);
    let term = 0;
    for (let i = 0; i + 1 < cuts.length; i++) {
      const [start, end] = [cuts[i], cuts[i + 1]];
      while (term < terms.length && terms[term][1] <= start) term++;
      const isTerm = term < terms.length && terms[term][0] <= start && end <= terms[term][1];
      const isSentence = sentences.some((span) => span[0] <= start && end <= span[1]);
      let piece = document.createTextNode(text.slice(start, end));
      if (isTerm) { const mark = element("mark"); mark.append(piece); piece = mark; }
      if (isSentence) { const span = element("span", "sentence"); span.append(piece); piece = span; }
      made.append(piece);
    }
    return made;
  }

  function termsOf(unit, shared) {
    const list = (data.units[unit] || { t: [] }).t;
    const found = [];
    for (let i = 0; i < list.length; i += 3)
      if (!shared || shared.has(list[i + 2])) found.push([list[i], list[i] + list[i + 1], list[i + 2]]);
    return found;
  }

  function shared(left, right) {
    const a = new Set(termsOf(left).map((token) => token[2]));
    return new Set(termsOf(right).map((token) => token[2]).filter((term) => a.has(term)));
  }

  function sentencesOf(unit, numbers) {
    const list = (data.units[unit] || { s: [] }).s;
    return numbers.map((n) => [list[2 * n], list[2 * n + 1]]).filter((span) => span[0] >= 0);
  }

  function restore() {
    if (marked) { marked.textContent = marked.textContent; marked.classList.remove("here"); marked = null; }
  }

  function show(unit, numbers, both) {
    const place = document.getElementById("u" + unit);
    return withMarks(place.textContent, sentencesOf(unit, numbers), termsOf(unit, both));
  }

  function open(anchor) {
    const link = data.links[Number(anchor.dataset.link)];
    const there = Number(anchor.hash.slice(2));
    const isLeft = link[0] !== there; // the passage we are at is the left one
    const here = isLeft ? link[0] : link[1];
    const both = shared(link[0], link[1]);
    const mine = link[5].map((pair) => pair[isLeft ? 0 : 1]);
    const theirs = link[5].map((pair) => pair[isLeft ? 1 : 0]);
    restore();
    marked = document.getElementById("u" + here);
    const source = show(here, mine, both);
    marked.replaceChildren(source);
    marked.classList.add("here");
    panel.replaceChildren();
    const close = element("button", "close", "×");
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", shut);
    const where = anchor.querySelector("i").textContent;
    const target = element("p", "target");
    target.append(show(there, theirs, both));
    const kind = link[4] & 4 ? "a copy" : link[4] & 1 ? "among the strongest" : "strength " + link[3] + " of 10";
    const best = link[5].length ? ", best sentence pair: " + link[5][0][2] + " matches" : "";
    const go = element("a", "go", "Go to this passage");
    go.href = anchor.hash;
    go.addEventListener("click", shut);
    panel.append(close, element("h2", "", where), target,
      element("p", "why", "Score " + link[2].toFixed(3) + ", " + kind + ", " + both.size + " shared terms" + best + "."), go);
    panel.hidden = false;
    opener = anchor;
    draw(here);
  }

  function shut() {
    panel.hidden = true;
    restore();
    if (opener && document.activeElement && panel.contains(document.activeElement)) opener.focus();
    opener = null;
  }

  // Chords of one passage, drawn over the others.
  function draw(unit) {
    const point = (n) => {
      const angle = (2 * Math.PI * (n + 0.5)) / data.count - Math.PI / 2;
      return [300 * Math.cos(angle), 300 * Math.sin(angle)];
    };
    const lines = data.links.filter((link) => link[0] === unit || link[1] === unit).map((link) => {
      const [a, b] = [point(link[0]), point(link[1])];
      const f = 0.15 + 0.25 * (1 - Math.abs(Math.sin((Math.PI * (link[1] - link[0])) / data.count)));
      return "M" + a + "Q" + [(a[0] + b[0]) * f, (a[1] + b[1]) * f] + " " + b;
    });
    chosen.setAttribute("d", lines.join(""));
  }

  function filter() {
    root.dataset.min = level.value;
    const all = Number(level.value) === 1;
    document.getElementById("level-value").textContent = all ? "all" : "best " + (110 - 10 * level.value) + " %";
    root.toggleAttribute("data-strongest", document.getElementById("only-strongest").checked);
    root.dataset.neighbours = document.getElementById("show-neighbours").checked ? "on" : "off";
    root.dataset.copies = document.getElementById("show-copies").checked ? "on" : "off";
  }

  // The next or previous list of links that the filter leaves something of.
  function step(forward) {
    const lists = Array.from(document.querySelectorAll(".links"));
    const current = document.activeElement && document.activeElement.closest(".links");
    let at = current ? lists.indexOf(current) : lists.findIndex((list) => list.getBoundingClientRect().top > 0) - (forward ? 1 : 0);
    for (at += forward ? 1 : -1; at >= 0 && at < lists.length; at += forward ? 1 : -1) {
      // Lists out of view are not laid out: go there first, then see what shows.
      lists[at].scrollIntoView({ block: "center" });
      const first = Array.from(lists[at].querySelectorAll("a")).find((anchor) => anchor.getClientRects().length);
      if (first) { first.focus({ preventScroll: true }); open(first); return; }
    }
  }

  document.addEventListener("click", (event) => {
    const anchor = event.target.closest && event.target.closest("a[data-link]");
    if (!anchor || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    open(anchor);
  });
  // Only a mouse that moves means a link; a page that scrolls under a resting one does not.
  document.addEventListener("mousemove", (event) => {
    const anchor = (event.movementX || event.movementY) && event.target.closest && event.target.closest("a[data-link]");
    if (anchor && anchor !== opener && window.matchMedia("(hover: hover)").matches) open(anchor);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=range]):not([type=checkbox]), textarea")) return;
    if (event.key === "Escape") shut();
    else if (event.key === "j" || event.key === "k") { event.preventDefault(); step(event.key === "j"); }
  });
  document.getElementById("chart").addEventListener("click", (event) => {
    if (event.target.closest("a")) return;
    const box = event.currentTarget.getBoundingClientRect();
    const angle = Math.atan2(event.clientY - box.top - box.height / 2, event.clientX - box.left - box.width / 2) + Math.PI / 2;
    const unit = Math.floor((((angle / (2 * Math.PI)) % 1) + 1) % 1 * data.count);
    draw(unit);
    const place = document.getElementById("u" + unit);
    if (place) place.scrollIntoView({ block: "center" });
  });
  for (const name of ["level", "only-strongest", "show-neighbours", "show-copies"])
    document.getElementById(name).addEventListener("input", filter);
  filter();
})();
