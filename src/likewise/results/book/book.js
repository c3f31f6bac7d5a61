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
    return place && withMarks(place.textContent, sentencesOf(unit, numbers), termsOf(unit, both));
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
    const elsewhere = show(there, theirs, both); // nothing, if it is on another page
    target.append(elsewhere || anchor.querySelector("span").textContent);
    const kind = link[4] & 4 ? "A copy" : "Strength " + link[3] + " of 10" + (link[4] & 1 ? ", among the strongest" : "");
    const go = element("a", "go", "Go to this passage");
    go.href = anchor.href;
    go.addEventListener("click", shut);
    panel.append(close, element("h2", "", where), target,
      element("p", "why", kind + (elsewhere ? ", " + both.size + " words in common." : ". On another page.")), go, ...verdicts(anchor));
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
    if (!chosen) return;
    const point = (n) => {
      const angle = (2 * Math.PI * (n + 0.5)) / data.count - Math.PI / 2;
      return [300 * Math.cos(angle), 300 * Math.sin(angle)];
    };
    const lines = Object.values(data.links).filter((link) => link[0] === unit || link[1] === unit).map((link) => {
      const [a, b] = [point(link[0]), point(link[1])];
      const f = 0.15 + 0.25 * (1 - Math.abs(Math.sin((Math.PI * (link[1] - link[0])) / data.count)));
      return "M" + a + "Q" + [(a[0] + b[0]) * f, (a[1] + b[1]) * f] + " " + b;
    });
    chosen.setAttribute("d", lines.join(""));
  }

  // A filter is set on the map and on the pieces near the view only: on the page, a long book would be styled anew.
  const chunks = Array.from(document.querySelectorAll(".chunk"));
  const near = new Set(chunks.slice(0, 20)); // until the browser tells
  let asked = {};
  function apply(place) {
    for (const name of ["min", "neighbours", "copies"]) place.dataset[name] = asked[name];
    place.toggleAttribute("data-strongest", asked.strongest);
  }
  const watch = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) { near.delete(entry.target); continue; }
      near.add(entry.target);
      apply(entry.target);
    }
  }, { rootMargin: "1500px" });

  function filter() {
    const on = (name) => document.getElementById(name).checked;
    asked = { min: level.value, strongest: on("only-strongest"), neighbours: on("show-neighbours") ? "on" : "off",
      copies: on("show-copies") ? "on" : "off" };
    document.getElementById("level-value").textContent = level.value === "1" ? "all" : "best " + (110 - 10 * level.value) + " %";
    [document.getElementById("contents"), ...near].filter(Boolean).forEach(apply);
  }

  function passes(item) {
    const is = (name) => item.classList.contains(name);
    return Number(item.dataset.level) >= asked.min && !is("rejected") && (is("strongest") || !asked.strongest) &&
      (!is("neighbours") || asked.neighbours === "on") && (!is("copy") || asked.copies === "on");
  }

  // The first piece whose end is in view. Pieces have places even where they are not laid out.
  function firstInView() {
    let low = 0, high = chunks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (chunks[middle].getBoundingClientRect().bottom > 0) high = middle; else low = middle + 1;
    }
    return low;
  }

  // The next or previous list of links that the filter leaves something of.
  function step(forward) {
    const current = document.activeElement && document.activeElement.closest(".links");
    const start = current ? chunks.indexOf(current.closest(".chunk")) : firstInView();
    const beyond = (list) => current
      ? current.compareDocumentPosition(list) & (forward ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING)
      : (list.getBoundingClientRect().top > 0) === forward;
    for (let at = start; at >= 0 && at < chunks.length; at += forward ? 1 : -1) {
      const lists = Array.from(chunks[at].querySelectorAll(".links")).filter((list) => at !== start || beyond(list));
      for (const list of forward ? lists : lists.reverse()) {
        const first = Array.from(list.children).find((item) => item.dataset.level && passes(item));
        if (!first) continue;
        list.scrollIntoView({ block: "center" });
        apply(chunks[at]);
        first.firstElementChild.focus({ preventScroll: true });
        open(first.firstElementChild);
        return;
      }
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
      const address = opener.href;
      shut();
      location.href = address;
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
  for (const number in data.keys) if (data.keys[number] in decisions) paint(number);
  save.hidden = !Object.keys(decisions).length; // also on a page that has none of their links

  // Search: the words of all passages, looked up exactly, by their beginning, or with a typing error.
  const query = document.getElementById("query") || element("input"); // the front of a split book has no text to search
  let words = null;
  const split = (text) => text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "").match(/[\p{L}\p{N}]+/gu) || [];
  const headings = []; // of each passage the words of the title above it
  const sections = []; // and that title itself
  function vocabulary() {
    if (words) return words;
    words = new Map();
    let heading = new Set(), below = false, title = "";
    for (const place of document.querySelectorAll("main [id]")) {
      if (place.tagName === "SECTION") title = "";
      if (/^H[1-6]$/.test(place.tagName)) { title = place.textContent.replace(/[¶\s]+$/, ""); heading = new Set(split(title)); below = true; }
      if (!/^u\d+$/.test(place.id)) continue;
      const unit = Number(place.id.slice(1)), found = new Set(split(place.textContent));
      headings[unit] = heading;
      sections[unit] = title;
      if (below) heading.forEach((word) => found.add(word)); // a title is found with the first passage below it
      below = false;
      for (const word of found) {
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
  // The text from a little before the first word that was found, cut between words, with all of them marked.
  function snippet(text, wanted) {
    const made = element("p"), pieces = Array.from(text.trim().matchAll(/[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu), (one) => one[0]);
    const hit = (piece) => split(piece).some((word) => wanted.has(word));
    const first = Math.max(pieces.findIndex(hit), 0), begin = first < 24 ? 0 : first - 12;
    let length = 0, end = begin;
    while (end < pieces.length && length < 180) length += pieces[end++].length;
    if (begin) made.append("… ");
    for (const piece of pieces.slice(begin, end)) made.append(hit(piece) ? element("mark", "", piece) : piece);
    if (end < pieces.length) made.append(" …");
    return made;
  }
  function search() {
    const terms = split(query.value);
    if (!terms.length) { shut(); return; }
    const scores = new Map(), corrected = [], wanted = new Set();
    for (const word of terms) {
      const [found, instead] = variants(word);
      corrected.push(instead || word);
      found.forEach((one) => wanted.add(one));
      const units = new Set(found.flatMap((one) => vocabulary().get(one)));
      const weight = Math.log(1 + data.count / (1 + units.size));
      for (const unit of units) {
        const titled = found.some((one) => headings[unit].has(one));
        scores.set(unit, (scores.get(unit) || 0) + (titled ? 2 : 1) * weight);
      }
    }
    const best = Array.from(scores).sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 20);
    const count = scores.size === 1 ? "1 passage" : scores.size + " passages" + (scores.size > best.length ? ", the best " + best.length : "");
    shut();
    panel.replaceChildren(element("h2", "", best.length ? count : "Nothing found"));
    if (corrected.join(" ") !== terms.join(" ")) panel.append(element("p", "why", "Showing results for “" + corrected.join(" ") + "”."));
    const list = element("ol", "hits");
    for (const [unit] of best) {
      const place = document.getElementById("u" + unit);
      const chapter = place.closest("section").getAttribute("aria-label"), title = sections[unit];
      const link = element("a", "", title && title !== chapter ? chapter + " › " + title : chapter);
      link.href = "#u" + unit;
      link.addEventListener("click", () => { panel.hidden = true; });
      const entry = element("li");
      entry.append(link, snippet(place.textContent, wanted));
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

  // The passage at which a pointer over the map points, and the chapter that has it.
  const chart = document.getElementById("chart");
  const arcs = Array.from(chart ? chart.querySelectorAll("a") : [], (arc) =>
    [Number(arc.getAttribute("href").replace(/.*#u/, "")), arc.querySelector("title").textContent, arc.getAttribute("href")]);
  let pointedAt = ""; // where the chapter begins at which the pointer points
  function pointed(event) {
    const box = chart.getBoundingClientRect();
    const angle = Math.atan2(event.clientY - box.top - box.height / 2, event.clientX - box.left - box.width / 2) + Math.PI / 2;
    const unit = Math.floor((((angle / (2 * Math.PI)) % 1) + 1) % 1 * data.count);
    const arc = arcs.filter(([first]) => first <= unit).pop();
    if (arc) { document.getElementById("arc").textContent = arc[1]; pointedAt = arc[2]; }
    return unit;
  }
  if (chart) chart.addEventListener("pointermove", pointed);
  if (chart) chart.addEventListener("click", (event) => {
    if (event.target.closest("a")) return;
    const unit = pointed(event);
    draw(unit);
    const place = document.getElementById("u" + unit);
    if (place) place.scrollIntoView({ block: "center" });
    else if (pointedAt) location.href = pointedAt; // on a page of its own
  });
  for (const name of ["level", "only-strongest", "show-neighbours", "show-copies"])
    document.getElementById(name).addEventListener("input", filter);
  filter();
  for (const chunk of chunks) watch.observe(chunk);
})();
