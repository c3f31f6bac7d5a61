import { $, api, say } from "./base.js";

$("reproduce").addEventListener("submit", async (event) => {
  event.preventDefault();
  say($("problem"), "");
  const only = [...document.querySelectorAll("[data-task]:checked")].map((box) => box.value);
  try {
    const job = await api("/api/reproduce", { method: "POST", body: { data: $("data").value, only, rows: $("rows").value.trim() || null } });
    location.assign(`/evaluation/${job.id}`);
  } catch (error) { say($("problem"), error.message); }
});
