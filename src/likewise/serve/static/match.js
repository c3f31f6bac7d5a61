import { $, api, el, say, show, whole } from "./base.js";
import { uploads } from "./upload.js";

// What is known of each side: the table's name and its columns.
const sides = { left: null, right: null };

function changed() {
  const names = [sides.left?.name, sides.right?.name].filter(Boolean);
  $("ready").textContent = !sides.left ? "Choose a table first."
    : names.length === 1 ? `Find duplicates in ${names[0]}.` : `Find records of ${names[0]} in ${names[1]}.`;
}

let pending = 0;
async function choose(side, name) {
  pending++;
  $("go").disabled = true;
  const box = $(side);
  const problem = box.querySelector("[role=alert]");
  const view = box.querySelector(".chosen");
  sides[side] = null;
  show(view, false);
  say(problem, "");
  if (name) {
    try {
      const header = $("header").value;
      const table = await api(`/api/files/${encodeURIComponent(name)}${header && `?header=${header}`}`);
      sides[side] = { name, columns: table.columns };
      view.replaceChildren(...preview(side, table));
      show(view, true);
    } catch (error) { say(problem, error.message); }
  }
  changed();
  if (!--pending) await propose();
}

function preview(side, table) {
  const id = `${side}-id`;
  const select = el("select", { id }, el("option", { value: "" }, "position in the table"),
    ...table.columns.map((column) => el("option", { value: column }, column)));
  select.addEventListener("change", propose);
  const head = el("tr", {}, ...table.columns.map((column) => el("th", { scope: "col" }, column)));
  const rows = table.preview.map((row) => el("tr", {}, ...table.columns.map((column) => el("td", {}, row[column] ?? ""))));
  return [
    el("p", {}, el("strong", {}, table.name), ` · ${whole(table.rows)} rows`),
    ...table.notes.map((note) => el("p", { class: "hint" }, note)),
    el("label", { for: id }, "Ids"), select,
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "First rows" }, el("table", { class: "list" }, el("thead", {}, head), el("tbody", {}, ...rows))),
  ];
}

const chosenId = (side) => $(`${side}-id`)?.value || null;

// Ask which columns are ids and which go together, show it, and let it be changed before anything is matched.
let asked = 0;
async function propose(event) {
  const mine = ++asked;
  $("go").disabled = true;
  show($("compared"), Boolean(sides.left));
  if (!sides.left) return;
  const given = new URLSearchParams({ left: sides.left.name });
  if (sides.right) given.set("right", sides.right.name);
  if ($("header").value) given.set("header", $("header").value);
  // An id that somebody chose counts; another table is looked at anew.
  if (event?.target?.id?.endsWith("-id")) for (const side of ["left", "right"]) if (sides[side]) given.set(`${side}_id`, chosenId(side) ?? "");
  try {
    const found = await api(`/api/match/columns?${given}`);
    if (mine !== asked) return;
    for (const side of ["left", "right"]) if (sides[side]) $(`${side}-id`).value = found[`${side}_id`] ?? "";
    $("pairs").replaceChildren(...found.pairs.map(([left, right]) => pairRow(left, right)));
    show($("no-pairs"), !found.pairs.length);
    $("go").disabled = false;
    say($("problem"), "");
  } catch (error) { if (mine === asked) say($("problem"), error.message); }
}

function pairRow(left, right) {
  const one = (side, value) => el("select", { "data-side": side, "aria-label": side === "left" ? "Column of the first table" : "Column of the second table" },
    ...sides[side].columns.map((column) => el("option", { value: column, selected: column === value }, column)));
  const row = el("li", { class: "row" }, one("left", left), ...(sides.right ? ["~", one("right", right)] : []));
  row.append(el("button", { type: "button", class: "small", "aria-label": "Do not compare these", onclick: () => row.remove() }, "remove"));
  return row;
}

const compared = (side) => [...document.querySelectorAll(`#pairs [data-side=${side}]`)].map((select) => select.value);

function request() {
  const choice = $("choice").value;
  const options = choice === "decide" ? {}
    : { top: Number($("top").value), min_score: $("min-score").value === "" ? null : Number($("min-score").value) };
  if (choice && choice !== "decide") options[choice] = true;
  if (choice === "decide" && sides.right && $("relation").value) options.relation = $("relation").value;
  const left = compared("left");
  if (!left.length) throw new Error("Choose at least one column to compare.");
  if (sides.right) {
    options.left_on = left;
    options.right_on = compared("right");
    options.left_id = chosenId("left");
    options.right_id = chosenId("right");
  } else {
    options.on = left;
    options.id = chosenId("left");
  }
  return { left: sides.left.name, right: sides.right?.name ?? null, measure: $("spec").value.trim() || null,
    header: { true: true, false: false }[$("header").value] ?? null, options };
}

for (const side of ["left", "right"]) {
  const problem = $(side).querySelector("[role=alert]");
  uploads($(side), $(`${side}-file`), $(`${side}-table`), { chosen: (name) => choose(side, name), problem: (message) => say(problem, message) });
}

$("header").addEventListener("change", () => { for (const side of ["left", "right"]) if (sides[side]) choose(side, sides[side].name); });

$("match").addEventListener("submit", async (event) => {
  event.preventDefault();
  say($("problem"), "");
  try {
    const job = await api("/api/match", { method: "POST", body: request() });
    location.assign(`/match/${job.id}`);
  } catch (error) { say($("problem"), error.message); }
});

$("add-pair").addEventListener("click", () => $("pairs").append(pairRow(sides.left.columns[0], sides.right?.columns[0])));
for (const side of ["left", "right"]) if ($(`${side}-table`).value) choose(side, $(`${side}-table`).value);
changed();
