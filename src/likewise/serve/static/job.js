import { $, api, say, show, whole } from "./base.js";
import { watch } from "./watch.js";

const { id, target } = $("job").dataset;

function update(job) {
  $("state").textContent = job.state;
  $("state").className = `state ${job.state}`;
  const bar = $("progress");
  if (job.total) { bar.max = job.total; bar.value = job.done; } else bar.removeAttribute("value");
  show(bar, job.active);
  $("step").textContent = job.active && job.done ? `${whole(job.done)}${job.total ? ` of ${whole(job.total)}` : ""} ${job.unit}` : "";
  show($("cancel"), job.active);
  if (job.state === "failed") say($("problem"), job.message);
  if (job.state === "done") { if (target) location.replace(target); else if ($("result")) show($("result"), true); }
}

$("cancel").addEventListener("click", async () => {
  try { update(await api(`/api/jobs/${id}/cancel`, { method: "POST" })); } catch (error) { say($("problem"), error.message); }
});
watch(id, update);
