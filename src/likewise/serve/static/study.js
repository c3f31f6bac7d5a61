import { $, api, el, fill, say, show } from "./base.js";

const name = $("study").dataset.name;
const path = `/api/judge/${encodeURIComponent(name)}`;
let judge = "", turn = null, busy = false;

async function next(at) {
  turn = await api(`${path}/turn?judge=${encodeURIComponent(judge)}${at === undefined ? "" : `&at=${at}`}`);
  $("progress").max = turn.items;
  $("progress").value = turn.judged;
  show($("turn"), turn.pair !== null);
  show($("over"), turn.pair === null);
  if (turn.pair) {
    $("question").textContent = turn.question;
    $("place").textContent = `Pair ${turn.at + 1} of ${turn.items}, ${turn.judged} judged`;
    for (const side of ["left", "right"]) {
      $(`${side}-text`).textContent = turn.pair[`${side}_text`];
      $(`${side}-text`).scrollTop = 0;
      $(`${side}-place`).textContent = turn.pair[`${side}_place`];
    }
    $("verdicts").replaceChildren(...Object.entries(turn.verdicts).map(([key, verdict]) => el("button", {
      type: "button", "aria-keyshortcuts": key, "aria-pressed": String(turn.pair.verdict === verdict), onclick: () => decide(verdict),
    }, el("kbd", {}, key), " ", verdict)));
  }
  if ($("details").open) table();
}

async function decide(verdict) {
  if (busy || !turn?.pair) return;
  busy = true;
  try {
    await api(`${path}/judgements`, { method: "PUT", body: { judge, item: turn.pair.number, verdict } });
    $("said").textContent = verdict;
    say($("problem"), "");
    await next(turn.pair.verdict === null ? undefined : turn.at + 1);
  } catch (error) { say($("problem"), error.message); }
  busy = false;
}

async function table() {
  try {
    const figures = await api(`${path}/table`);
    const rows = [];
    for (const [stratum, cells] of Object.entries(figures.strata)) {
      rows.push(el("tr", {}, el("th", { scope: "rowgroup", colspan: figures.columns.length + 1 }, stratum)));
      for (const total of Object.keys(cells[figures.columns[0]] ?? {})) {
        rows.push(el("tr", {}, el("th", { scope: "row" }, total), ...figures.columns.map((column) => {
          const cell = cells[column][total];
          const text = cell.of ? `${cell.hits}/${cell.of} (${Math.round((100 * cell.hits) / cell.of)} %, ${Math.round(100 * cell.low)}–${Math.round(100 * cell.high)})` : "–";
          return el("td", { class: "number" }, text);
        })));
      }
    }
    const head = el("tr", {}, el("td"), ...figures.columns.map((column) => el("th", { scope: "col", class: "number" }, column)));
    const agreement = figures.agreement.map((entry) => el("p", { class: "hint" },
      `kappa of ${entry.judges.join(" and ")}: ${entry.kappa === null ? "not defined" : entry.kappa.toFixed(2)} over ${entry.items} pairs`));
    $("table").replaceChildren(el("table", { class: "list" }, el("thead", {}, head), el("tbody", {}, ...rows)),
      el("p", { class: "hint" }, `${figures.judged} of ${figures.items} pairs judged by ${figures.judges.join(", ") || "nobody"}; shares with 95 % intervals.`), ...agreement);
  } catch (error) { say($("problem"), error.message); }
}

async function begin() {
  judge = $("judge").value.trim();
  if (!judge) return;
  localStorage.setItem("judge", judge);
  try { await next(); say($("problem"), ""); document.activeElement.blur(); } catch (error) { say($("problem"), error.message); }
}
$("who").addEventListener("submit", (event) => { event.preventDefault(); begin(); });
document.addEventListener("keydown", (event) => {
  if (!turn?.pair || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  if (event.key === "b" && turn.at > 0) { event.preventDefault(); next(turn.at - 1).catch((error) => say($("problem"), error.message)); return; }
  const verdict = turn.verdicts[event.key];
  if (verdict) { event.preventDefault(); decide(verdict); }
});
$("details").addEventListener("toggle", () => $("details").open && table());
if (fill($("who"))) begin();
$("judge").value ||= localStorage.getItem("judge") ?? "";
