// Restores an engine from its journal: takes the newest checkpoint and applies every call after it again. A start does so, and
// whoever makes the next checkpoint (engine/server/checkpoints), which shows that this one can be restored.
//
// The audit trail was durable up to the checkpoint. At a start the calls produce the later audit events, and the events for
// connections that resume. Events from before the checkpoint are reported to these connections as a gap.

import type { Execution } from "../../api/market-engine.ts";
import type { CheckpointPart } from "../../checkpoint/checkpoint.ts";
import { Engine, type EngineOptions } from "../../engine.ts";
import { orderKeyOf } from "../../state/ids.ts";
import { applyCall, type FailedCall, type JournalCall } from "../../journal/journal-call.ts";
import type { JournalHeader } from "../../journal/journal.ts";
import { CancelOnDisconnectOrders } from "../host/cancel-on-disconnect.ts";
import type { NewCheckpoint } from "../../journal/journal.ts";
import { checkpointOf, type HostPart } from "../host/checkpoint-saver.ts";
import type { HashKey } from "../../operations/keyed-hash.ts";
import { reasonOf } from "../host/engine-failure.ts";

/** What a start does with the calls after the checkpoint. */
export interface ReplayListener {
  applied(execution: Execution): void;
  /** The events so far are of an epoch that has ended. */
  epochBegan(): void;
  leftOut(number: number, call: FailedCall, error: string): void;
}

export class JournalReplay {
  readonly orders = new CancelOnDisconnectOrders<null>();
  engine: Engine;
  secretDigest: string | null = null;
  /** Parts of the state. */
  checkpointParts = 0;

  /** A replay without a listener only restores the state: it makes no messages and no audit events. */
  constructor(readonly header: JournalHeader, readonly listener: ReplayListener | null) {
    this.engine = new Engine(header.definition, this.#engineOptions());
  }

  /** With a new hash key. */
  #engineOptions(): EngineOptions {
    const { epoch, startedAt, engineId, clock } = this.header;
    const options = { epoch, now: startedAt, clock, engineId, secret: null, hashKey: randomHashKey() };
    return this.listener === null ? { ...options, recorder: null } : options;
  }

  /** Takes the parts of a checkpoint, before any record. */
  restore(parts: Iterable<string>): void {
    this.engine = Engine.restore(this.header.definition, this.#engineParts(parts), this.#engineOptions());
    this.engine.setSecret(this.secretDigest);
  }

  /** Applies the next record. Throws if the engine fails on it. */
  apply(number: number, text: string): void {
    const call: JournalCall = JSON.parse(text);
    if (call.kind === "secret") this.secretDigest = call.digest;
    if (call.kind === "newEpoch") this.listener?.epochBegan();
    if (call.kind === "failed") this.#leaveOut(number, call.call, call.error);
    const execution = this.#apply(number, call);
    if (execution === null) return;
    if (call.kind === "execute" && call.cancelOnDisconnect) this.orders.addCreated(execution, null);
    this.listener?.applied(execution);
    this.orders.remove(execution.closedOrders);
  }

  checkpoint(): Omit<NewCheckpoint, "upTo"> {
    const { engine, orders, secretDigest } = this;
    return checkpointOf(engine, { watchedOrders: orders.all(), secretDigest, auditPosition: engine.auditPosition });
  }

  *#engineParts(parts: Iterable<string>): Generator<CheckpointPart, void, undefined> {
    for (const text of parts) {
      const part: CheckpointPart | HostPart = JSON.parse(text);
      if (part.kind !== "operations") this.checkpointParts += 1;
      if (part.kind !== "host") yield part;
      else {
        this.secretDigest = part.secretDigest;
        for (const orderId of part.watchedOrders) this.orders.add(orderKeyOf(orderId), null);
      }
    }
  }

  /** The engine executed this call before, so it must not fail now. If it does, the records after it can't be applied. */
  #apply(number: number, call: JournalCall): Execution | null {
    try {
      return applyCall(this.engine, call);
    } catch (error) {
      const failed = `journal: the engine fails on record ${number} (${call.kind}): ${reasonOf(error)}`;
      const advice = "start the version of mkt that wrote it, or name an empty directory for a new market";
      throw new Error(`${failed}; ${advice}`, { cause: error });
    }
  }

  #leaveOut(number: number, call: FailedCall, error: string): void {
    this.listener?.leftOut(number, call, error);
    // Cancelling these orders again would fail again.
    if (call.kind === "cancelDisconnected") this.orders.remove(call.orderIds.map(orderKeyOf));
  }
}

/** A key that nobody outside this process knows: for the hash of the operationIds that users choose. */
export function randomHashKey(): HashKey {
  const [first = 0, second = 0] = crypto.getRandomValues(new Uint32Array(2));
  return [first, second];
}
