// The audit trail of an engine in this process. Its events stay as they are until somebody reads them, or until they are many:
// to store them takes longer than to make them, and an episode of the arena begins with some hundred that nobody may ever read.

import type { AuditReader } from "../../common/audit/audit-store.ts";
import { SqliteAuditStore } from "../audit/sqlite-audit-store.ts";

/** Characters. */
const MAX_UNREAD = 1 << 20;

export class UnreadAudit {
  #store: SqliteAuditStore | null = null;
  #lines: string[] = [];
  #length = 0;

  /** `now`: market time, in milliseconds since the epoch. */
  constructor(private readonly now: () => number) {}

  /** Adds the events of lines. */
  record(lines: string): void {
    if (lines === "") return;
    this.#lines.push(lines);
    this.#length += lines.length;
    if (this.#length > MAX_UNREAD) this.#stored();
  }

  get reader(): AuditReader {
    return this.#stored();
  }

  #stored(): SqliteAuditStore {
    this.#store ??= SqliteAuditStore.inMemory({ now: this.now });
    this.#store.record(this.#lines.join(""));
    this.#lines = [];
    this.#length = 0;
    return this.#store;
  }
}
