import { $, api, el, later, number, say, show, whole } from "./base.js";
import { showExplanation } from "./explanation.js";
import { histogram } from "./histogram.js";

const id = $("job").dataset.id;
const PAGE = 50;
let summary, place, tab = "above", shown = 0, asked = 0;

const threshold = () => Number($("threshold").value);

async function start() {
  summary = await api(`/api/match/${id}`);
  const high = summary.edges[summary.edges.length - 1];
  $("threshold").max = high;
  place = histogram($("histogram"), summary.edges, summary.counts, (score) => { $("threshold").value = score; moved(); });
  const kept = sessionStorage.getItem(`threshold ${id}`);
  $("threshold").value = kept ?? summary.threshold ?? Math.min(0.6, high);
  $("threshold").disabled = false;
  moved();
  decided();
}

const refresh = later(() => load(0), 120);

function moved() {
  $("at").textContent = number(threshold(), 3);
  sessionStorage.setItem(`threshold ${id}`, threshold());
  place(threshold());
  for (const link of document.querySelectorAll("[data-format]")) {
    link.href = `/api/match/${id}/download?format=${link.dataset.format}&threshold=${threshold()}`;
  }
  refresh();
}

function decided() {
  $("decided").textContent = `${whole(summary.accepted)} accepted, ${whole(summary.rejected)} rejected by hand`;
}

async function load(offset) {
  const mine = ++asked;
  try {
    if (tab === "clusters") { await loadClusters(mine); return; }
    const side = tab === "below" ? "below" : "above";
    const order = tab === "best" ? "best" : "nearest";
    const found = await api(`/api/match/${id}/pairs?threshold=${threshold()}&side=${side}&order=${order}&offset=${offset}&limit=${PAGE}`);
    if (mine !== asked) return;
    $("above-count").textContent = whole(found.above);
    $("below-count").textContent = whole(found.below);
    const body = document.querySelector("#pairs tbody");
    if (!offset) body.replaceChildren();
    body.append(...found.pairs.map(row));
    shown = offset + found.pairs.length;
    show($("more"), shown < (side === "above" ? found.above : found.below));
    show($("nothing"), shown === 0);
    say($("problem"), "");
  } catch (error) { say($("problem"), error.message); }
}

async function loadClusters(mine) {
  const found = await api(`/api/match/${id}/clusters?threshold=${threshold()}`);
  if (mine !== asked) return;
  const groups = found.clusters.map((group) => el("li", {}, el("span", { class: "quiet" }, `${group.length} records`),
    el("ul", {}, ...group.map((record) => el("li", {}, el("code", {}, record.id), " ", record.text ?? "")))));
  $("clusters").replaceChildren(
    el("p", {}, `${whole(found.groups)} groups of ${whole(found.records)} records; every pair inside a group reaches the threshold.`),
    el("ol", { class: "groups" }, ...groups));
  show($("nothing"), false);
  show($("more"), false);
}

function row(pair) {
  const line = el("tr", { tabindex: 0 });
  const state = el("span", { class: "decision" });
  const buttons = [["accept", "✓", "Accept"], ["reject", "✗", "Reject"]].map(([word, sign, label]) => el("button", {
    type: "button", class: "small", "data-word": word, title: label, "aria-label": `${label} ${pair.left_text} and ${pair.right_text}`,
    onclick: (event) => { event.stopPropagation(); decide(pair.decision === word ? null : word); },
  }, sign));
  const refreshRow = () => {
    line.className = pair.decision ?? "";
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.word === pair.decision)));
  };
  async function decide(decision) {
    try {
      await api(`/api/match/${id}/decisions`, { method: "PUT", body: { left: pair.left, right: pair.right, decision } });
      for (const [word, key] of [["accept", "accepted"], ["reject", "rejected"]]) {
        summary[key] += (decision === word) - (pair.decision === word);
      }
      pair.decision = decision;
      refreshRow();
      decided();
    } catch (error) { say($("problem"), error.message); }
  }
  line.append(el("td", { class: "number" }, number(pair.probability ?? pair.score)), el("td", {}, pair.left_text ?? "–"), el("td", {}, pair.right_text ?? "–"),
    el("td", { class: "word" }, ...buttons, state));
  line.addEventListener("click", () => why(pair, line));
  line.addEventListener("keydown", (event) => {
    if (event.target !== line) return;
    const act = { Enter: () => why(pair, line), a: () => decide("accept"), r: () => decide("reject"), u: () => decide(null),
      ArrowDown: () => line.nextElementSibling?.focus(), ArrowUp: () => line.previousElementSibling?.focus() }[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  refreshRow();
  return line;
}

async function why(pair, line) {
  document.querySelectorAll("#pairs tr[aria-current]").forEach((other) => other.removeAttribute("aria-current"));
  line?.setAttribute("aria-current", "true");
  const which = `left=${encodeURIComponent(pair.left)}&right=${encodeURIComponent(pair.right)}`;
  try {
    const found = await api(`/api/match/${id}/why?${which}`);
    $("why-score").textContent = number(found.score, 4);
    showExplanation(found, { left: $("why-left"), right: $("why-right"), body: $("why-parts") });
    if ($("waterfall")) {
      $("waterfall").src = `/api/match/${id}/waterfall?${which}`;
      $("why-said").textContent = (await api(`/api/match/${id}/weights?${which}`)).said;
    }
    say($("problem"), "");
    show($("why-box"), true);
  } catch (error) { say($("problem"), error.message); }
}

function select(name) {
  tab = name;
  for (const button of document.querySelectorAll("[role=tab]")) {
    const mine = button.id === `tab-${name}`;
    button.setAttribute("aria-selected", String(mine));
    button.tabIndex = mine ? 0 : -1;
  }
  $("list").setAttribute("aria-labelledby", `tab-${name}`);
  show($("clusters"), name === "clusters");
  show(document.querySelector("#pairs"), name !== "clusters");
  load(0);
}

const tabs = [...document.querySelectorAll("[role=tab]")];
tabs.forEach((button, i) => {
  button.addEventListener("click", () => select(button.id.slice(4)));
  button.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(i + step + tabs.length) % tabs.length];
    next.focus();
    select(next.id.slice(4));
  });
});
async function again() {
  const { left, right, measure, header, options } = summary.job.parameters;
  try {
    const job = await api("/api/match", { method: "POST", body: { left, right, measure, header, options, labels: id } });
    location.assign(`/match/${job.id}`);
  } catch (error) { say($("problem"), error.message); }
}

$("again")?.addEventListener("click", again);
$("any")?.addEventListener("submit", (event) => {
  event.preventDefault();
  why({ left: $("any-left").value, right: $("any-right").value });
});
if ($("threshold")) {
  $("threshold").addEventListener("input", moved);
  $("more").addEventListener("click", () => load(shown));
  start().catch((error) => say($("problem"), error.message));
}
