// Brings what the engine tells into the snapshot and the event buffer.
//
// Follow one connection: `welcome` says which history it is; the state messages after it are collected aside; at
// `snapshotEnd` they replace the snapshot as a whole; from then on each state message is applied as it comes. Events go to
// the buffer at once.

import type { EventBuffer } from "../market/event-buffer.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { EventMessage, StateMessage, Welcome } from "../protocol/index.ts";
import type { EngineClock } from "./engine-clock.ts";

export class MarketFeed {
  /** Null once the snapshot is whole. */
  #collected: StateMessage[] | null = null;
  #engineId: string | null = null;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly events: EventBuffer,
    private readonly clock: EngineClock,
  ) {}

  /** The last event of the history that is known here; undefined before the first welcome. */
  resumePoint(): { epoch: number; sequence: number } | undefined {
    const { epoch, latestSequence } = this.events;
    return epoch === null ? undefined : { epoch, sequence: latestSequence };
  }

  /** Begins a connection; false where it is another history than the one before, whose events then go. */
  welcome({ engineId, epoch, sequence }: Welcome): boolean {
    this.#collected = [];
    const goesOn = epoch === this.events.epoch && engineId === this.#engineId && sequence >= this.events.latestSequence;
    this.#engineId = engineId;
    if (!goesOn) this.events.begin(epoch, sequence);
    return goesOn;
  }

  state(message: StateMessage): void {
    if (this.#collected === null) this.snapshot.apply(message, this.clock.isoTime());
    else this.#collected.push(message);
  }

  snapshotEnd(): void {
    if (this.#collected === null) return;
    this.snapshot.replaceAll(this.#collected, this.clock.isoTime());
    this.#collected = null;
  }

  event(message: EventMessage): void {
    this.events.push(message);
  }

  gap(from: number, to: number): void {
    this.events.gap(from, to);
  }

  /** The connection is gone: a snapshot that is not whole is worth nothing. */
  abandon(): void {
    this.#collected = null;
  }

  /** For another user, who may see other things. */
  clear(): void {
    this.snapshot.clear();
    this.events.clear();
  }
}
