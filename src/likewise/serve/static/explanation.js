// The table of contributions with its two marked texts: the same on every page that says why.

import { el, marked, number } from "./base.js";

export function showExplanation(why, { left, right, body }) {
  const plain = () => {
    left.replaceChildren(...marked(why.left, why.left_spans));
    right.replaceChildren(...marked(why.right, why.right_spans));
  };
  const largest = Math.max(...why.contributions.map((part) => part.value), 1e-9);
  const rows = why.contributions.map((part) => {
    const point = () => {
      left.replaceChildren(...marked(why.left, why.left_spans, part.left_spans));
      right.replaceChildren(...marked(why.right, why.right_spans, part.right_spans));
    };
    const bar = el("meter", { min: 0, max: largest, value: Math.max(part.value, 0), "aria-hidden": "true" });
    return el("tr", { tabindex: 0, onmouseenter: point, onfocus: point, onmouseleave: plain, onblur: plain },
      el("td", {}, part.left), el("td", {}, part.right), el("td", { class: "word" }, part.kind),
      el("td", { class: "number" }, number(part.value)), el("td", { class: "bar" }, bar));
  });
  if (why.more) rows.push(el("tr", {}, el("td", { colspan: 5, class: "quiet" }, `and ${why.more} smaller ones`)));
  body.replaceChildren(...rows);
  plain();
}
