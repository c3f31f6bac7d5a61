import { $, api, el, fill, number, say, show, whole } from "./base.js";
import { uploads } from "./upload.js";

// Pairs of a class stand together. Phrases that also stand side by side in the texts (first and second, from May to June)
// are siblings rather than paraphrases: they come last, apart.
const TITLES = { other: "Say the same", sibling: "Probably siblings: also found side by side, as in “X and Y”" };
const classOf = (pair) => (pair.together > 0 ? "sibling" : pair.kind);

let asked = 0;

async function look() {
  const mine = ++asked; // an answer that comes after that to a later question is too late
  const phrase = $("phrase").value.trim();
  const given = new URLSearchParams({ table: $("table").value });
  for (const link of document.querySelectorAll("[data-format]")) link.href = `/api/paraphrases/download?${given}&format=${link.dataset.format}`;
  if (phrase) given.set("phrase", phrase);
  history.replaceState(null, "", `/paraphrases?${given}`);
  try {
    const answer = await api(`/api/paraphrases?${given}&limit=25`);
    if (mine !== asked) return;
    say($("problem"), "");
    $("found").textContent = answer.found.length ? (phrase ? `Instead of “${phrase}”` : `The best of ${whole(answer.pairs)} pairs`)
      : `Nothing says the same as “${phrase}” here. Look at the best pairs: leave the phrase empty.`;
    const groups = new Map();
    for (const pair of answer.found) groups.set(classOf(pair), [...(groups.get(classOf(pair)) ?? []), pair]);
    const order = [...groups.keys()].sort((a, b) => rank(a) - rank(b));
    $("groups").replaceChildren(...order.flatMap((kind) => [el("h3", {}, TITLES[kind] ?? kind), table(groups.get(kind), phrase)]));
  } catch (error) {
    if (mine !== asked) return;
    $("groups").replaceChildren();
    say($("problem"), error.message);
  }
}

const rank = (kind) => (kind === "other" ? 0 : kind === "sibling" ? 2 : 1);

function table(pairs, phrase) {
  const head = el("tr", {}, ...(phrase ? [] : [el("th", { scope: "col" }, "Phrase")]), el("th", { scope: "col" }, "Paraphrase"),
    el("th", { scope: "col", class: "number" }, "Probability"), el("th", { scope: "col", class: "number" }, "Contexts"));
  return el("div", { class: "scroll" }, el("table", { class: "list" }, el("thead", {}, head), el("tbody", {}, ...pairs.flatMap((pair) => rows(pair, phrase)))));
}

function rows(pair, phrase) {
  const evidence = pair.samples.map((sample) => el("li", {}, `${sample.left} `, el("mark", {}, pair.phrase), " / ", el("mark", {}, pair.paraphrase), ` ${sample.right}`,
    sample.attached ? el("span", { class: "quiet" }, ` [${sample.attached.replaceAll("\t", " … ")}]`) : null,
    el("span", { class: "hint" }, ` ${[sample.phrase_source, sample.paraphrase_source].filter(Boolean).join(", ")}`)));
  const first = el("tr", { class: evidence.length ? "with-evidence" : "" }, ...(phrase ? [] : [el("td", {}, el("button", { type: "button", class: "plain", onclick: () => { $("phrase").value = pair.phrase; look(); } }, pair.phrase))]),
    el("td", {}, el("strong", {}, pair.paraphrase)), el("td", { class: "number" }, number(pair.probability)), el("td", { class: "number" }, whole(pair.support)));
  return evidence.length ? [first, el("tr", {}, el("td", { colspan: phrase ? 3 : 4 }, el("ul", { class: "evidence" }, ...evidence)))] : [first];
}

async function growth(job) {
  const { result } = await api(`/api/jobs/${job}`);
  if (!result?.curve) return;
  const rows = result.curve.map(([characters, pairs]) => el("tr", {}, el("td", { class: "number" }, whole(characters)), el("td", { class: "number" }, whole(pairs))));
  const head = el("tr", {}, el("th", { scope: "col", class: "number" }, "Characters"), el("th", { scope: "col", class: "number" }, "Pairs"));
  $("points").replaceChildren(el("img", { src: `/api/mine/${job}/curve`, alt: "Curve of pairs against characters; the figures follow." }),
    el("table", { class: "list" }, el("thead", {}, head), el("tbody", {}, ...rows)));
  show($("growth"), true);
}

if ($("look")) {
  const job = new URLSearchParams(location.search).get("job");
  if (job) growth(job).catch((error) => say($("problem"), error.message));
  $("look").addEventListener("submit", (event) => { event.preventDefault(); look(); });
  $("table").addEventListener("change", look);
  fill($("look"));
  look();
}

const source = $("source");
function chosen() {
  $("go").disabled = !source.value;
  $("ready").textContent = source.value ? `Mine ${source.value}.` : "Choose texts first.";
}
uploads($("left"), $("source-file"), source, { chosen, problem: (message) => say($("make-problem"), message) });
$("make").addEventListener("submit", async (event) => {
  event.preventDefault();
  say($("make-problem"), "");
  const options = { anchors: $("anchors").value, support: $("support").value ? Number($("support").value) : null, context: Number($("context").value) };
  try {
    const job = await api("/api/mine", { method: "POST", body: { name: $("name").value.trim(), source: source.value, options, curve: $("curve").checked } });
    location.assign(`/jobs/${job.id}`);
  } catch (error) { say($("make-problem"), error.message); }
});
chosen();
