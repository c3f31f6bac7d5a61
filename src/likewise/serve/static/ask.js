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

if ($("ask")) {
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
