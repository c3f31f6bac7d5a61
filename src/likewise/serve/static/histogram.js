// A histogram of scores whose threshold can be moved: by the slider under it, or by pointing into the picture.

import { el, svg, whole } from "./base.js";

const WIDTH = 800, HEIGHT = 180, FOOT = 2, SIDE = 8;

export function histogram(box, edges, counts, move) {
  const top = Math.max(...counts, 1);
  const high = edges[edges.length - 1];
  const x = (score) => SIDE + (score / high) * (WIDTH - 2 * SIDE);
  // Square root, so that a few hundred pairs beside a hundred thousand can still be seen.
  const y = (count) => Math.sqrt(count / top) * (HEIGHT - FOOT - 10);
  const bars = counts.map((count, i) => {
    const bar = svg("rect", { x: x(edges[i]) + 0.5, width: Math.max(1, x(edges[i + 1]) - x(edges[i]) - 1), y: HEIGHT - FOOT - y(count), height: y(count), class: "bar" });
    bar.append(svg("title", {}, `${edges[i].toFixed(2)} to ${edges[i + 1].toFixed(2)}: ${whole(count)} pairs`));
    return bar;
  });
  const ticks = [0, 1, 2, 3, 4, 5].map((fifth) => el("span", {}, ((fifth * high) / 5).toFixed(1)));
  const line = svg("line", { class: "threshold", y1: 0, y2: HEIGHT });
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "histogram", role: "img", "aria-label": `Distribution of scores from 0 to ${high.toFixed(1)}; heights by square root`, preserveAspectRatio: "none" }, ...bars, line);
  box.replaceChildren(el("div", { class: "chart" }, picture, el("div", { class: "axis", "aria-hidden": "true" }, ...ticks)));
  const at = (event) => {
    const frame = picture.getBoundingClientRect();
    const inside = ((event.clientX - frame.left) / frame.width) * WIDTH;
    move(Math.min(high, Math.max(0, ((inside - SIDE) / (WIDTH - 2 * SIDE)) * high)));
  };
  picture.addEventListener("pointerdown", (event) => { picture.setPointerCapture(event.pointerId); at(event); });
  picture.addEventListener("pointermove", (event) => { if (event.buttons) at(event); });
  return (threshold) => {
    line.setAttribute("x1", x(threshold));
    line.setAttribute("x2", x(threshold));
    bars.forEach((bar, i) => bar.classList.toggle("above", edges[i] >= threshold - 1e-9));
  };
}
