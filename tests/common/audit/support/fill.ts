// Fills a store with many events, as an engine does: a batch at a time, each tried again where it fails. Azurite resets a
// connection now and then while it collects its garbage.

import type { AuditStore } from "../../../../common/audit/audit-store.ts";
import type { AuditEvent } from "../../../../protocol/index.ts";

/** So much that one append stays well within a time limit. */
const BATCH = 400;
const ATTEMPTS = 5;

export async function fill(store: AuditStore, events: readonly AuditEvent[]): Promise<void> {
  for (let start = 0; start < events.length; start += BATCH) {
    const batch = events.slice(start, start + BATCH);
    for (let attempt = 1;; attempt += 1) {
      try {
        await store.append(batch);
        break;
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
        await Bun.sleep(100 * attempt);
      }
    }
  }
}
