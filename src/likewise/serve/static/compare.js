import { $, api, later, number, say, show } from "./base.js";
import { showExplanation } from "./explanation.js";

const measure = $("measure");
let running;

// The specification of the chosen measure: its name and the options that differ from their default.
function specification() {
  const options = [];
  for (const field of document.querySelectorAll(`fieldset[data-measure="${measure.value}"] [data-option]`)) {
    const value = field.type === "checkbox" ? String(field.checked) : field.value.trim();
    if (value !== field.dataset.default && value !== "") options.push(`${field.dataset.option}=${value}`);
  }
  return `${measure.value}(${options.join(", ")})`;
}

async function update() {
  running?.abort();
  running = new AbortController();
  const collection = $("collection").value.split("\n").filter((line) => line.trim());
  try {
    const body = { left: $("left").value, right: $("right").value, measure: specification(), collection };
    const why = await api("/api/compare", { method: "POST", body, signal: running.signal });
    $("score").textContent = number(why.score, 4);
    $("spec").textContent = why.measure;
    showExplanation(why, { left: $("left-marked"), right: $("right-marked"), body: document.querySelector("#parts tbody") });
    show($("none"), !why.contributions.length);
    show($("parts"), why.contributions.length > 0);
    say($("problem"), "");
  } catch (error) {
    if (error.name === "AbortError") return;
    $("score").textContent = "–";
    say($("problem"), error.message);
  }
}

const soon = later(update);
for (const id of ["left", "right", "collection"]) $(id).addEventListener("input", soon);
document.querySelectorAll("[data-option]").forEach((field) => field.addEventListener("input", soon));
function settings() {
  for (const set of document.querySelectorAll("fieldset[data-measure]")) show(set, set.dataset.measure === measure.value);
}
measure.addEventListener("input", () => { settings(); soon(); });
settings();
update();
