// A window that shares a stream with others, without a page.

import type { Update } from "../../../web/contract/update.ts";
import type { StreamHub } from "../../../web/dashboard/live/stream-hub.ts";
import { StreamLedger } from "../../../web/dashboard/live/stream-ledger.ts";
import type { StreamStatus } from "../../../web/dashboard/live/stream-source.ts";
import { update } from "../updates.ts";
import { joined } from "./shared-worker.ts";

/** A window, with the bookkeeping of a page. While it is frozen, what it is sent waits. */
export class HubWindow {
  readonly ledger = new StreamLedger();
  readonly updates: Update[] = [];
  readonly sequences: number[] = [];
  status: StreamStatus | null = null;
  statuses = 0;
  isFrozen = false;
  readonly #port: ReturnType<typeof joined>;
  readonly #waiting: Parameters<HubWindow["hear"]>[0][] = [];

  /** `since`: what it has from before. */
  constructor(hub: StreamHub, contracts: readonly string[], since: Partial<Update> | null) {
    this.#port = joined(hub);
    if (since !== null) this.ledger.accept(update(since));
    this.#port.onmessage = ({ data }) => this.isFrozen ? void this.#waiting.push(data) : this.hear(data);
    this.follow(...contracts);
  }

  follow(...contracts: string[]): void {
    this.#port.postMessage({ kind: "follow", contracts, since: this.ledger.position });
  }

  hear({ status, text }: { readonly status: StreamStatus; readonly text: string | null }): void {
    this.status = status;
    this.statuses++;
    if (text === null) return;
    const accepted = this.ledger.accept(JSON.parse(text) as Update);
    this.updates.push(accepted);
    this.sequences.push(...accepted.events.map(({ sequence }) => sequence));
    this.#port.postMessage({ kind: "got" });
  }

  thaw(): void {
    this.isFrozen = false;
    for (const data of this.#waiting.splice(0)) this.hear(data);
  }

  hurry(): void {
    this.#port.postMessage({ kind: "hurry" });
  }

  leave(): void {
    this.#port.postMessage({ kind: "leave" });
  }

  get last(): Update {
    return this.updates.at(-1)!;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get counts() {
    const { received, duplicates, missed, gaps, wholes } = this.ledger;
    return { received, duplicates, missed, gaps, wholes };
  }
}
