import { $, api, say } from "./base.js";

$("create").addEventListener("submit", async (event) => {
  event.preventDefault();
  say($("problem"), "");
  const lists = [$("first").value, $("second").value].filter(Boolean);
  const body = { name: $("name").value.trim(), lists, scheme: $("scheme").value, size: Number($("size").value) || null };
  try {
    const study = await api("/api/judge", { method: "POST", body });
    location.assign(`/judge/${encodeURIComponent(study.name)}`);
  } catch (error) { say($("problem"), error.message); }
});
