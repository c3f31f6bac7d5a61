// Follow a job until it ends: events from the service, or asking now and then where they do not get through.

import { api } from "./base.js";

export function watch(id, update) {
  let over = false;
  const see = (job) => { if (over) return; over = !job.active; update(job); };
  const source = new EventSource(`/api/jobs/${id}/events`);
  source.onmessage = (event) => { see(JSON.parse(event.data)); if (over) source.close(); };
  const timer = setInterval(async () => {
    if (over) { clearInterval(timer); source.close(); return; }
    try { see(await api(`/api/jobs/${id}`)); } catch { /* the next time may work */ }
  }, 2000);
}
