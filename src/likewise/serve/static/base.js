// What every page uses: asking the service, making elements, showing texts with marks. No page builds HTML from strings.

export class Problem extends Error {
  constructor(message, status, retry) { super(message); this.status = status; this.retry = retry; }
}

// Ask the service; a refusal becomes a Problem whose message can be shown as it is.
export async function api(path, { method = "GET", body, signal, raw } = {}) {
  const headers = { accept: "application/json" };
  if (body !== undefined && !raw) headers["content-type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, signal, body: raw ?? (body === undefined ? undefined : JSON.stringify(body)) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("The service cannot be reached. Is it still running?", 0);
  }
  if (answer.ok) return answer.status === 204 ? null : answer.json();
  let message = `The service answered ${answer.status}.`;
  try { message = (await answer.json()).error.message; } catch { /* keep the general sentence */ }
  if (answer.status === 401) message = "Log in again: the token is missing or wrong.";
  throw new Problem(message, answer.status, Number(answer.headers.get("retry-after")) || 0);
}

// Make an element: el("p", { class: "hint", onclick: f }, "text", child).
export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  setAll(node, attributes);
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAll(node, attributes);
  node.append(...children);
  return node;
}

function setAll(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
}

export const $ = (id) => document.getElementById(id);

export function show(node, visible) { node.hidden = !visible; }

export function say(node, message) {
  node.textContent = message ?? "";
  show(node, Boolean(message));
}

// Spans count characters, JavaScript counts UTF-16 units: cut by characters.
export function marked(text, spans, strong = []) {
  const characters = Array.from(text);
  const edges = new Set([0, characters.length]);
  for (const span of [...spans, ...strong]) { edges.add(span.start); edges.add(span.end); }
  const sorted = [...edges].filter((edge) => edge <= characters.length).sort((a, b) => a - b);
  const inside = (list, start) => list.some((span) => span.start <= start && start < span.end);
  const pieces = [];
  for (let i = 0; i + 1 < sorted.length; i++) {
    const piece = characters.slice(sorted[i], sorted[i + 1]).join("");
    if (inside(strong, sorted[i])) pieces.push(el("mark", { class: "strong" }, piece));
    else if (inside(spans, sorted[i])) pieces.push(el("mark", {}, piece));
    else pieces.push(piece);
  }
  return pieces;
}

export function number(value, digits = 3) {
  return Number(value).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export const whole = (value) => Number(value).toLocaleString("en");

// Call f when nothing has called it for a while.
export function later(f, milliseconds = 150) {
  let timer;
  return (...values) => { clearTimeout(timer); timer = setTimeout(() => f(...values), milliseconds); };
}

// A form that asks works without its script, too: it loads its own page with what was asked in the address, so that nothing
// is lost that was asked before the script was there. Fill its fields from the address; true if something was asked.
export function fill(form) {
  const given = new URLSearchParams(location.search);
  for (const field of form.elements) {
    const value = given.get(field.name);
    if (value === null || !field.name) continue;
    if (field.tagName !== "SELECT" || [...field.options].some((option) => option.value === value)) field.value = value;
  }
  return [...given.keys()].some((name) => form.elements[name]?.value);
}

// Forms that change something work only by script: their buttons wait for it.
for (const button of document.querySelectorAll("[data-ready]")) button.disabled = false;
