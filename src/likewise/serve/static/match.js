import { $, api, el, say, show, whole } from "./base.js";
import { uploads } from "./upload.js";

// What is known of each side: the table's name, its columns, which are compared, which one holds the ids.
const sides = { left: null, right: null };

function changed() {
  $("go").disabled = !sides.left;
  const names = [sides.left?.name, sides.right?.name].filter(Boolean);
  $("ready").textContent = !sides.left ? "Choose a table first."
    : names.length === 1 ? `Find duplicates in ${names[0]}.` : `Find records of ${names[0]} in ${names[1]}.`;
}

async function choose(side, name) {
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
}

function preview(side, table) {
  const boxes = table.columns.map((column, place) => {
    const id = `${side}-column-${place}`;
    return el("span", { class: "tick" }, el("input", { type: "checkbox", id, value: column, "data-column": true }),
      el("label", { for: id }, column));
  });
  const id = `${side}-id`;
  const select = el("select", { id }, el("option", { value: "" }, "position in the table"),
    ...table.columns.map((column) => el("option", { value: column }, column)));
  const head = el("tr", {}, ...table.columns.map((column) => el("th", { scope: "col" }, column)));
  const rows = table.preview.map((row) => el("tr", {}, ...table.columns.map((column) => el("td", {}, row[column] ?? ""))));
  return [
    el("p", {}, el("strong", {}, table.name), ` · ${whole(table.rows)} rows`),
    ...table.notes.map((note) => el("p", { class: "hint" }, note)),
    el("div", { class: "ticks", role: "group", "aria-label": "Columns to compare" }, el("span", { class: "quiet" }, "Compare: "), ...boxes),
    el("p", { class: "hint" }, "None ticked: all columns as one text."),
    el("label", { for: id }, "Ids"), select,
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "First rows" }, el("table", { class: "list" }, el("thead", {}, head), el("tbody", {}, ...rows))),
  ];
}

const ticked = (side) => [...document.querySelectorAll(`#${side} [data-column]:checked`)].map((box) => box.value);
const chosenId = (side) => $(`${side}-id`)?.value || null;

function request() {
  const choice = $("choice").value;
  const options = choice === "decide" ? {}
    : { top: Number($("top").value), min_score: $("min-score").value === "" ? null : Number($("min-score").value) };
  if (choice && choice !== "decide") options[choice] = true;
  const left = ticked("left");
  const right = ticked("right");
  if (sides.right) {
    if (left.length || right.length) { options.left_on = left; options.right_on = right; }
    options.left_id = chosenId("left");
    options.right_id = chosenId("right");
  } else {
    if (left.length) options.on = left;
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

for (const side of ["left", "right"]) if ($(`${side}-table`).value) choose(side, $(`${side}-table`).value);
changed();
