// Fills the snapshot and the event buffer from an engine's messages.
//
// `welcome` names the history of events that a connection belongs to. It is another history if the engine, its epoch, the
// user's entity or the user's capabilities differ: what the user could see before, it may not see now. The state messages
// after it are collected aside. At `snapshotEnd` they replace the snapshot as a whole; from then on each state message is
// applied as it comes. Events go into the buffer at once.
//
// State messages have no number, so a repeated one would put an older state over a newer one. A frame whose events are all
// known is therefore a repetition, and ignored as a whole.

import type { EventBuffer } from "../market/event-buffer.ts";
import { type History, isSameHistory } from "../market/event-content.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { EventMessage, StateMessage, Welcome } from "../../protocol/index.ts";
import type { EngineClock } from "../../protocol/client/engine-clock.ts";
import type { ReceivedMessage, Unreadable } from "../../protocol/client/frame-reader.ts";
import type { BookOf } from "../../protocol/client/module-reduction.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";

/** An event number further ahead than this is taken for a fault. If it is right, the next welcome confirms it. */
const MAX_SEQUENCE_LEAP = 1_000_000;

export class MarketCache {
  /** Null once the snapshot is whole. */
  #collected: StateMessage[] | null = null;
  #history: History | null = null;
  /** The newest event when the connection was made. */
  #welcomedAt = 0;
  #setbacks = 0;
  /**
   * 0, or the newest event at the welcome of another engine with the same epoch. That engine compares epochs only, so it may
   * send events up to this number again, though they were dropped here with the other engine's history.
   */
  #droppedUpTo = 0;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly events: EventBuffer,
    private readonly clock: EngineClock,
  ) {}

  /** The history of the cached events; null before the first welcome. */
  get history(): History | null {
    return this.#history;
  }

  /** How often the same engine and epoch had fewer events than before. */
  get setbacks(): number {
    return this.#setbacks;
  }

  /** The last event of the known history; undefined before the first welcome. */
  resumePoint(): { epoch: number; sequence: number } | undefined {
    const { epoch, latestSequence } = this.events;
    return epoch === null ? undefined : { epoch, sequence: latestSequence };
  }

  /**
   * Begins a connection. Events of another history are dropped. False: the engine may not know what was requested before,
   * because it is another one or has lost its history.
   */
  welcome({ engineId, epoch, sequence, userId, entityId, capabilities }: Welcome): boolean {
    this.#collected = [];
    const history = { engineId, epoch, userId, entityId, capabilities };
    const isSameEpoch = epoch === this.events.epoch;
    const { latestSequence } = this.events;
    const isKnownEngine = isSameEpoch && engineId === this.#history?.engineId;
    const isSameEngine = isKnownEngine && sequence >= latestSequence;
    if (isKnownEngine && !isSameEngine) this.#setbacks += 1;
    const continues = isSameEngine && this.#history !== null && isSameHistory(this.#history, history);
    this.#droppedUpTo = isSameEpoch && !isSameEngine ? sequence : 0;
    if (!continues) this.#history = history;
    this.#welcomedAt = sequence;
    // The same engine sends the events after the last known one as the user may see them now.
    if (!continues) this.events.begin(epoch, isSameEngine ? latestSequence : sequence);
    return isSameEngine;
  }

  /** The buffer gets the events that another process had of this history. The next welcome says whether it continues. */
  resume(history: History): void {
    this.#history = history;
  }

  /** True for the end of a snapshot that has ended, and for a frame with known events only. */
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
    if (this.#collected === null) this.snapshot.apply(message, this.clock.marketIsoTime());
    else this.#collected.push(message);
  }

  snapshotEnd(): void {
    if (this.#collected === null) return;
    this.snapshot.replaceAll(this.#collected, this.clock.marketIsoTime());
    this.#collected = null;
  }

  /** A frame was read, so the snapshot holds as of now. */
  confirm(): void {
    if (this.#collected === null) this.snapshot.confirm(this.clock.marketIsoTime());
  }

  /** The ENGINE module in the snapshot. */
  readonly bookOf: BookOf = (bookId) => this.snapshot.get("ENGINE", bookId);

  /**
   * `state`: see EngineListener. False: the number can't be right. It is older than the newest event and unknown, or too far
   * ahead.
   */
  event(message: EventMessage, state: StateMessage | null): boolean {
    if (this.#leapsTooFar(message.sequence)) return false;
    if (message.sequence <= this.events.latestSequence) {
      return message.sequence <= this.#droppedUpTo || this.events.holds(message.sequence);
    }
    const isBook = message.type === "change.book" && state !== null;
    this.events.push(message, isBook ? state.state as ModuleData<"ENGINE"> : null);
    return true;
  }

  /** False: the gap can't be right. It ends before it begins, or after the newest event at the welcome. */
  gap(from: number, to: number): boolean {
    if (from > to || to > this.#welcomedAt) return false;
    this.events.gap(from, to);
    return true;
  }

  /** Skips an unreadable message: its module is removed from the snapshot, its event counts as missed. */
  skip({ statePath, sequence }: Unreadable): void {
    if (statePath !== undefined) this.state({ statePath, state: null });
    if (sequence === undefined || sequence <= this.events.latestSequence || this.#leapsTooFar(sequence)) return;
    this.events.gap(sequence, sequence);
  }

  /** The connection ended: an incomplete snapshot is discarded, and nobody waits for events any more. */
  abandon(): void {
    this.#collected = null;
    this.events.interrupt();
  }

  /** For another user, who may see other modules and events. */
  clear(): void {
    this.#history = null;
    this.snapshot.clear();
    this.events.clear();
  }

  #leapsTooFar(sequence: number): boolean {
    return sequence > Math.max(this.events.latestSequence, this.#welcomedAt) + MAX_SEQUENCE_LEAP;
  }
}
