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
  let before = []; // what stood there
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
    if (marked) { marked.replaceChildren(...before); marked.classList.remove("here"); marked = null; }
  }

  function show(unit, numbers, both) {
    const place = document.getElementById("u" + unit);
    return withMarks(place.textContent, sentencesOf(unit, numbers), termsOf(unit, both));
  }

  let resting = 0;  // the timer of a mouse that may mean a link
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
    before = Array.from(marked.childNodes);
    marked.replaceChildren(source);
    marked.classList.add("here");
    panel.replaceChildren();
    const close = element("button", "close", "×");
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", shut);
    const where = anchor.querySelector("b").textContent;
    const target = element("p", "target");
    target.append(show(there, theirs, both));
    const kind = link[4] & 4 ? "A copy" : "Strength " + link[3] + " of 10" + (link[4] & 1 ? ", among the strongest" : "");
    const go = element("a", "go", "Go to this passage");
    go.href = anchor.hash;
    go.addEventListener("click", shut);
    panel.append(close, element("h2", "", where), target,
      element("p", "why", kind + ", " + both.size + " words in common."), go, ...verdicts(anchor));
    panel.hidden = false;
    opener = anchor;
    window.clearTimeout(resting);
    draw(here);
  }

  function shut() {
    window.clearTimeout(resting);  // a mouse that still lies on a link does not open it again
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
  let lists = null;
  function step(forward) {
    lists = lists || Array.from(document.querySelectorAll(".links"));
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
  // Only a mouse that moves and then rests means a link; one that crosses it, or a page that scrolls, does not.
  document.addEventListener("mousemove", (event) => {
    const anchor = (event.movementX || event.movementY) && event.target.closest && event.target.closest("a[data-link]");
    window.clearTimeout(resting);
    if (anchor && anchor !== opener && window.matchMedia("(hover: hover)").matches)
      resting = window.setTimeout(() => open(anchor), 180);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { shut(); if (event.target === query) query.blur(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=range]):not([type=checkbox]), textarea")) return;
    if (event.key === "j" || event.key === "k") { event.preventDefault(); step(event.key === "j"); }
    else if (event.key === "/") { event.preventDefault(); query.focus(); query.select(); }
    else if (event.key === "Enter" && opener && !panel.hidden && document.activeElement === opener) {
      event.preventDefault();
      const hash = opener.hash;
      shut();
      location.hash = hash;
    } else if (opener && (event.key === "a" || event.key === "r")) decide(opener, event.key === "a" ? "accept" : "reject");
  });

  // Decisions: kept in this browser, where it allows that, and saved as a small file that the next run takes.
  const store = "likewise-decisions:" + document.title;
  let decisions = {};
  try { decisions = JSON.parse(localStorage.getItem(store) || "{}"); } catch (error) { decisions = {}; }
  const save = document.getElementById("save");
  function paint(number) {
    for (const anchor of document.querySelectorAll('a[data-link="' + number + '"]')) {
      const said = decisions[data.keys[number]];
      anchor.parentElement.classList.toggle("accepted", said === "accept");
      anchor.parentElement.classList.toggle("rejected", said === "reject");
    }
    save.hidden = !Object.keys(decisions).length;
  }
  function decide(anchor, said) {
    const number = Number(anchor.dataset.link), key = data.keys[number];
    if (decisions[key] === said) delete decisions[key]; else decisions[key] = said;
    try { localStorage.setItem(store, JSON.stringify(decisions)); } catch (error) { /* only for this visit */ }
    paint(number);
    if (decisions[key] === "reject") shut();
  }
  function verdicts(anchor) {
    return ["accept", "reject"].map((said) => {
      const button = element("button", "verdict", said === "accept" ? "Accept" : "Reject and hide");
      button.type = "button";
      button.addEventListener("click", () => decide(anchor, said));
      return button;
    });
  }
  save.addEventListener("click", () => {
    const link = element("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(decisions, null, 1) + "\n"], { type: "application/json" }));
    link.download = "decisions.json";
    link.click();
    URL.revokeObjectURL(link.href);
  });
  data.keys.forEach((key, number) => { if (key in decisions) paint(number); });

  // Search: the words of all passages, looked up exactly, by their beginning, or with a typing error.
  const query = document.getElementById("query");
  let words = null;
  const split = (text) => text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "").match(/[\p{L}\p{N}]+/gu) || [];
  function vocabulary() {
    if (words) return words;
    words = new Map();
    for (let unit = 0; unit < data.count; unit++) {
      const place = document.getElementById("u" + unit);
      if (!place) continue;
      for (const word of new Set(split(place.textContent))) {
        if (!words.has(word)) words.set(word, []);
        words.get(word).push(unit);
      }
    }
    return words;
  }
  function distance(a, b, most) { // Damerau-Levenshtein, given up beyond `most`
    if (Math.abs(a.length - b.length) > most) return most + 1;
    let [two, one] = [[], Array.from({ length: b.length + 1 }, (_, i) => i)];
    for (let i = 1; i <= a.length; i++) {
      const row = [i];
      for (let j = 1; j <= b.length; j++) {
        const same = a[i - 1] === b[j - 1] ? 0 : 1;
        row[j] = Math.min(one[j] + 1, row[j - 1] + 1, one[j - 1] + same);
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], two[j - 2] + 1);
      }
      if (Math.min(...row) > most) return most + 1;
      [two, one] = [one, row];
    }
    return one[b.length];
  }
  function variants(word) {
    const all = vocabulary();
    const begin = Array.from(all.keys()).filter((one) => one === word || (word.length > 2 && one.startsWith(word) && one.length < word.length + 4));
    if (begin.length || word.length < 4) return [begin, ""];
    const most = word.length < 8 ? 1 : 2;
    let best = most, found = [];
    for (const one of all.keys()) {
      const far = distance(word, one, best);
      if (far < best) { best = far; found = [one]; } else if (far === best) found.push(one);
    }
    found.sort((a, b) => all.get(b).length - all.get(a).length);
    return [found.slice(0, 1), found[0] || ""];
  }
  function search() {
    const asked = split(query.value);
    if (!asked.length) { shut(); return; }
    const scores = new Map(), corrected = [];
    for (const word of asked) {
      const [found, instead] = variants(word);
      corrected.push(instead || word);
      const units = new Set(found.flatMap((one) => vocabulary().get(one)));
      const weight = Math.log(1 + data.count / (1 + units.size));
      for (const unit of units) scores.set(unit, (scores.get(unit) || 0) + weight);
    }
    const best = Array.from(scores).sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 20);
    shut();
    panel.replaceChildren(element("h2", "", best.length ? best.length + " passages" : "Nothing found"));
    if (corrected.join(" ") !== asked.join(" ")) panel.append(element("p", "why", "Showing results for “" + corrected.join(" ") + "”."));
    const list = element("ol", "hits");
    for (const [unit] of best) {
      const place = document.getElementById("u" + unit);
      const link = element("a", "", place.closest("section").getAttribute("aria-label"));
      link.href = "#u" + unit;
      link.addEventListener("click", () => { panel.hidden = true; });
      const entry = element("li");
      entry.append(link, element("p", "", place.textContent.trim().slice(0, 180)));
      list.append(entry);
    }
    panel.append(list);
    panel.hidden = false;
  }
  let typing = 0;
  query.addEventListener("input", () => { window.clearTimeout(typing); typing = window.setTimeout(search, 120); });

  // Jumps land below the header, however high it is; what they lead to is lit for a moment, also when folded away.
  const header = document.querySelector("header");
  const measure = () => root.style.setProperty("--header", header.offsetHeight + 12 + "px");
  window.addEventListener("resize", measure);
  measure();
  function light() {
    const place = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (!place) return;
    place.scrollIntoView({ block: "start" });
    place.classList.remove("lit");
    void place.offsetWidth;
    place.classList.add("lit");
  }
  window.addEventListener("hashchange", light);
  light();

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
