// A box that takes a file: by its input, or dropped on it. What is uploaded is added to the select beside it.

import { api, el } from "./base.js";

export function uploads(box, input, select, { chosen, problem }) {
  async function send(file) {
    problem("");
    box.setAttribute("aria-busy", "true");
    try {
      const item = await api(`/api/files/${encodeURIComponent(file.name)}`, { method: "PUT", raw: file });
      if (![...select.options].some((option) => option.value === item.name)) select.append(el("option", {}, item.name));
      select.value = item.name;
      await chosen(item.name);
    } catch (error) { problem(error.message); }
    box.removeAttribute("aria-busy");
  }
  const take = () => input.files[0] && send(input.files[0]);
  input.addEventListener("change", take);
  take(); // chosen before this script was there
  select.addEventListener("change", () => chosen(select.value));
  box.addEventListener("dragover", (event) => { event.preventDefault(); box.classList.add("over"); });
  box.addEventListener("dragleave", () => box.classList.remove("over"));
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    box.classList.remove("over");
    if (event.dataTransfer.files[0]) send(event.dataTransfer.files[0]);
  });
}
