// Fills a store with many events in batches. A batch that fails is retried, because Azurite sometimes resets a connection
// during garbage collection.

import type { AuditStore } from "../../../../common/audit/audit-store.ts";
import type { AuditEvent } from "../../../../protocol/index.ts";

/** Small enough for one append to stay within the time limit. */
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
