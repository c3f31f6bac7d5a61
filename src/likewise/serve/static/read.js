import { $, api, say } from "./base.js";
import { uploads } from "./upload.js";

const select = $("left-text");

function chosen() {
  $("go").disabled = !select.value;
  $("ready").textContent = select.value ? `Link the passages of ${select.value}.` : "Choose a text first.";
}

uploads($("left"), $("left-file"), select, { chosen, problem: (message) => say($("problem"), message) });

$("link").addEventListener("submit", async (event) => {
  event.preventDefault();
  say($("problem"), "");
  const body = { left: select.value, title: $("title").value.trim() || null, options: { preset: $("preset").value.trim() } };
  try {
    const job = await api("/api/link", { method: "POST", body });
    location.assign(`/read/${job.id}`);
  } catch (error) { say($("problem"), error.message); }
});
chosen();
