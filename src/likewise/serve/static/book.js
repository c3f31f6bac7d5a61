import { $, api, el, fill, marked, say, show } from "./base.js";

const id = $("book").dataset.id;
const page = $("reader").getAttribute("src").split("#")[0];

async function find() {
  say($("problem"), "");
  if (!$("query").value.trim()) { show($("found"), false); return; }
  try {
    const { passages } = await api(`/api/link/${id}/search?query=${encodeURIComponent($("query").value)}`);
    const items = passages.map((passage) => el("li", {}, el("button", { type: "button", class: "plain", onclick: () => go(passage.unit) },
      ...marked(passage.snippet, passage.highlights))));
    $("found").replaceChildren(...(items.length ? items : [el("li", {}, "Nothing in the book fits.")]));
    show($("found"), true);
  } catch (error) { say($("problem"), error.message); }
}
$("inside").addEventListener("submit", (event) => { event.preventDefault(); find(); });
if (fill($("inside"))) find();

function go(unit) {
  $("reader").src = `${page}#u${unit}`;
  $("reader").scrollIntoView({ block: "start" });
}
