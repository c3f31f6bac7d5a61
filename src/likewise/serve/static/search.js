import { $, api, el, fill, marked, number, say, show, whole } from "./base.js";
import { showExplanation } from "./explanation.js";
import { uploads } from "./upload.js";

const PAGE = 10;
let top = PAGE, asked = 0;

// Paraphrases that were switched off, and whether to search as written, for the query of the moment.
const off = new Set();
let asWritten = new URLSearchParams(location.search).get("forgive") === "false";

function address() {
  const given = new URLSearchParams({ index: $("index").value, query: $("query").value });
  if ($("expand")?.value) given.set("expand", $("expand").value);
  for (const text of off) given.append("without", text);
  if (asWritten) given.set("forgive", "false");
  return given;
}

function alternatives(widened) {
  show($("widened"), widened.length > 0);
  let count = 0;
  $("alternatives").replaceChildren(...widened.map((group) => el("div", { class: "ticks" }, el("strong", {}, `${group.phrase}:`),
    ...[...group.also, ...group.off].sort().map((text) => {
      const id = `alternative-${count++}`;
      const box = el("input", { type: "checkbox", id, checked: !group.off.includes(text) });
      box.addEventListener("change", () => { if (box.checked) off.delete(text); else off.add(text); search(); });
      return el("span", { class: "tick" }, box, el("label", { for: id }, text));
    }))));
}

function corrected(found) {
  const box = $("corrected");
  show(box, Object.keys(found.corrections).length > 0);
  const back = el("button", { type: "button", class: "small" }, `Search for “${$("query").value}” as written`);
  back.addEventListener("click", () => { asWritten = true; search(); });
  box.replaceChildren("Showing results for ", el("strong", {}, found.corrected), ". ", back);
}

async function search() {
  if (!$("query").value.trim()) return;
  const mine = ++asked;
  history.replaceState(null, "", `/search?${address()}`);
  try {
    const found = await api(`/api/search?${address()}&top=${top}`);
    if (mine !== asked) return;
    say($("problem"), "");
    alternatives(found.widened);
    corrected(found);
    $("found").textContent = found.hits.length ? `${found.hits.length === top ? `The best ${top}` : whole(found.hits.length)} of ${whole(found.texts)} texts`
      : `Nothing found${found.notes.length ? `: ${found.notes.join("; ")}` : ""}. Use fewer words, or drop quotes and minus signs.`;
    $("hits").replaceChildren(...found.hits.map(hit));
    show($("more"), found.hits.length === top && top < 200);
  } catch (error) {
    if (mine !== asked) return;
    $("hits").replaceChildren();
    $("found").textContent = "";
    for (const id of ["corrected", "widened", "more"]) show($(id), false);
    say($("problem"), error.message);
  }
}

function hit(found) {
  const document = found.fields.document || found.source || found.id;
  const place = new URLSearchParams({ index: $("index").value, id: found.id, query: $("query").value });
  const box = el("div", { class: "why", hidden: true });
  const button = el("button", { type: "button", class: "small", "aria-expanded": "false" }, "why");
  button.addEventListener("click", async () => {
    const open = box.hidden;
    if (open && !box.childElementCount) await explain(found, box);
    show(box, open);
    button.setAttribute("aria-expanded", String(open));
  });
  return el("li", {},
    el("p", { class: "title" }, el("a", { href: `/search/text?${place}#here` }, found.heading || document)),
    el("p", { class: "snippet" }, found.before ? "… " : "", ...marked(found.snippet, found.highlights), found.after ? " …" : ""),
    el("p", { class: "hint" }, el("span", { class: "score-small" }, number(found.score)), " ", found.heading ? document : "", " ", button), box);
}

async function explain(found, box) {
  try {
    const why = await api(`/api/search/why?${address()}&rank=${found.rank}`);
    const left = el("div", { class: "text", "aria-label": "Query with what matches" });
    const right = el("div", { class: "text", "aria-label": "Text with what matches", tabindex: 0 });
    const body = el("tbody");
    box.append(left, right, el("div", { class: "scroll" }, el("table", { class: "list" },
      el("thead", {}, el("tr", {}, el("th", {}, "Query"), el("th", {}, "Text"), el("th", {}, "Kind"), el("th", { class: "number" }, "Adds"), el("td", { class: "bar" }))), body)));
    showExplanation(why, { left, right, body });
  } catch (error) { box.append(el("p", { class: "message error" }, error.message)); }
}

if ($("search")) {
  $("search").addEventListener("submit", (event) => { event.preventDefault(); top = PAGE; off.clear(); asWritten = false; search(); });
  $("expand")?.addEventListener("change", () => { off.clear(); search(); });
  $("index").addEventListener("change", () => { top = PAGE; search(); });
  $("more").addEventListener("click", () => { top = Math.min(200, top + 2 * PAGE); search(); });
  if (fill($("search"))) search();
}

const source = $("source");
function chosen() {
  $("go").disabled = !source.value;
  $("ready").textContent = source.value ? `Index ${source.value}.` : "Choose texts first.";
}
uploads($("left"), $("source-file"), source, { chosen, problem: (message) => say($("make-problem"), message) });
$("make").addEventListener("submit", async (event) => {
  event.preventDefault();
  say($("make-problem"), "");
  const body = { name: $("name").value.trim(), source: source.value, measure: $("spec").value.trim() || null, options: { unit: $("unit").value } };
  try {
    const job = await api("/api/index", { method: "POST", body });
    location.assign(`/jobs/${job.id}`);
  } catch (error) { say($("make-problem"), error.message); }
});
chosen();
