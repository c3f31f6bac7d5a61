import { $, api, el, fill, say, show, whole } from "./base.js";
import { uploads } from "./upload.js";

async function ask() {
  if (!$("question").value.trim()) return;
  const given = new URLSearchParams({ nuggets: $("nuggets").value, question: $("question").value });
  if ($("expand")?.value) given.set("expand", $("expand").value);
  history.replaceState(null, "", `/ask?${given}`);
  try {
    const { query, answers } = await api(`/api/ask?${given}`);
    say($("problem"), "");
    show($("nothing"), !answers.length);
    $("query").textContent = query;
    $("answers").replaceChildren(...answers.map((answer) => el("li", {},
      el("p", {}, el("strong", {}, answer.date), ` · ${Math.round(100 * answer.sure)} % sure · ${whole(answer.count)} sentence${answer.count === 1 ? "" : "s"} · `, el("span", { class: "quiet" }, answer.forms.slice(0, 3).join(", "))),
      el("ul", { class: "evidence" }, ...answer.evidence.map((one) => el("li", {}, one.fragment, " ", el("span", { class: "hint" }, one.source)))))));
  } catch (error) { say($("problem"), error.message); }
}

// What was not asked, so that nobody takes the table for all questions of the file.
function leftOut(questions) {
  const named = [...questions.other_words, ...questions.no_pattern];
  return `Left out: ${whole(questions.no_date)} that ask for no date, ${whole(questions.other_words.length)} that ask in other words than When or What year, ${whole(questions.no_pattern.length)} without a pattern${named.length ? `: ${named.join("; ")}` : ""}.`;
}

// A table in the form of Paşca and Dienes (2005, table 4), theirs beside ours.
async function known(job) {
  const { result } = await api(`/api/jobs/${job}`);
  if (!result?.rows) return;
  const columns = ["Pairs", "Disjuncts", "Helped", "Hurt", "Score", "Right first", "Published, entity", "Published, relative"];
  const cells = (row) => [row.pairs, row.disjuncts, row.helped, row.hurt, row.score.toFixed(2), row.first, ...row.published.map((one) => one.join(" / "))];
  $("rows").replaceChildren(el("table", { class: "list" }, el("caption", {}, `${whole(result.questions)} questions; helped, hurt and score as published. ${leftOut(result.left_out)}`),
    el("thead", {}, el("tr", {}, ...columns.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...result.rows.map((row) => el("tr", {}, ...cells(row).map((cell) => el("td", {}, String(cell))))))));
  show($("table"), true);
}

$("test")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const expand = $("expand")?.value ? [$("expand").value] : [];
  try {
    const job = await api("/api/questions", { method: "POST", body: { nuggets: $("nuggets").value, questions: $("asked").value, expand, by: $("order").value } });
    location.assign(`/jobs/${job.id}`);
  } catch (error) { say($("test-problem"), error.message); }
});

if ($("ask")) {
  const job = new URLSearchParams(location.search).get("job");
  if (job) known(job).catch((error) => say($("problem"), error.message));
  $("ask").addEventListener("submit", (event) => { event.preventDefault(); ask(); });
  $("expand")?.addEventListener("change", ask);
  if (fill($("ask"))) ask();
}

const source = $("source");
function chosen() {
  $("go").disabled = !source.value;
  $("ready").textContent = source.value ? `Collect from ${source.value}.` : "Choose texts first.";
}
uploads($("left"), $("source-file"), source, { chosen, problem: (message) => say($("make-problem"), message) });
$("make").addEventListener("submit", async (event) => {
  event.preventDefault();
  say($("make-problem"), "");
  try {
    const job = await api("/api/nuggets", { method: "POST", body: { name: $("name").value.trim(), source: source.value } });
    location.assign(`/jobs/${job.id}`);
  } catch (error) { say($("make-problem"), error.message); }
});
chosen();
