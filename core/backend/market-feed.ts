// Brings what the engine tells into the snapshot and the event buffer.
//
// Follow one connection: `welcome` says which history it is; the state messages after it are collected aside; at
// `snapshotEnd` they replace the snapshot as a whole; from then on each state message is applied as it comes. Events go to
// the buffer at once.
//
// State messages have no number of their own, so one that comes again, late, would put an older state over a newer one. A
// frame whose events are all known is therefore taken for a repetition, and left.

import type { EventBuffer } from "../market/event-buffer.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { EventMessage, StateMessage, Welcome } from "../../protocol/index.ts";
import type { EngineClock } from "../../protocol/client/engine-clock.ts";
import type { ReceivedMessage, Unreadable } from "../../protocol/client/frame-reader.ts";

/** An event further ahead than that is not believed. Where it is right, the next welcome says so. */
const GREATEST_LEAP = 1_000_000;

export class MarketFeed {
  /** Null once the snapshot is whole. */
  #collected: StateMessage[] | null = null;
  #engineId: string | null = null;
  /** The newest event when the connection was made. */
  #welcomedAt = 0;
  /** Up to here an engine may send events again that went with another engine's history; it goes by the epoch alone. */
  #forgottenUpTo = 0;

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
    const isSameEpoch = epoch === this.events.epoch;
    const goesOn = isSameEpoch && engineId === this.#engineId && sequence >= this.events.latestSequence;
    this.#forgottenUpTo = isSameEpoch && !goesOn ? sequence : 0;
    this.#engineId = engineId;
    this.#welcomedAt = sequence;
    if (!goesOn) this.events.begin(epoch, sequence);
    return goesOn;
  }

  /** Whether all of this frame is known already: it tells the end of a snapshot that has ended, or known events only. */
  isRepetition(messages: readonly ReceivedMessage[]): boolean {
    if (this.#collected !== null) return false;
    let events = 0;
    for (const message of messages) {
      if (!("kind" in message)) continue;
      if (message.kind === "snapshotEnd") return true;
      if (message.kind !== "event") continue;
      if (!this.events.holds(message.sequence)) return false;
      events += 1;
    }
    return events > 0;
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

  /** What is shown held when the engine spoke last. */
  heard(): void {
    if (this.#collected === null) this.snapshot.confirm(this.clock.isoTime());
  }

  /** False where no engine can mean its number: it is older than the newest and not known, or leaps too far. */
  event(message: EventMessage): boolean {
    const { latestSequence } = this.events;
    if (message.sequence > Math.max(latestSequence, this.#welcomedAt) + GREATEST_LEAP) return false;
    if (message.sequence <= latestSequence) {
      return message.sequence <= this.#forgottenUpTo || this.events.holds(message.sequence);
    }
    this.events.push(message);
    return true;
  }

  /** False where no engine can mean it: it ends before it begins, or after the event that was the newest. */
  gap(from: number, to: number): boolean {
    if (from > to || to > this.#welcomedAt) return false;
    this.events.gap(from, to);
    return true;
  }

  /** Goes on without what can't be read: its module is shown no more, its event is missed. */
  without({ statePath, sequence }: Unreadable): void {
    if (statePath !== undefined) this.state({ statePath, state: null });
    const { latestSequence } = this.events;
    if (sequence === undefined || sequence <= latestSequence) return;
    if (sequence <= Math.max(latestSequence, this.#welcomedAt) + GREATEST_LEAP) this.events.gap(sequence, sequence);
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
