// Calls the engine with the current time, and appends each call that changed something to the journal.
//
// A call is appended after its execution. Nothing is published before the journal is committed, so a crash in between
// loses nothing that anyone has seen. The journal keeps accepted requests as parsed, and only the outcome of rejected
// ones. A call that throws is appended as failed, and the engine must not be called again.
//
// Invariant: time never goes back.

import type { Logger } from "../../../common/logger.ts";
import { fingerprintText } from "../../engine/api/fingerprint.ts";
import type { EngineRequest, Execution, MarketEngine } from "../../engine/api/market-engine.ts";
import type { AppliedCall, FailedCall } from "../../journal/journal-call.ts";
import type { JournalWriter } from "../../journal/journal-writer.ts";
import { withSecretDigest } from "../../journal/secret-digest.ts";
import { EngineClock } from "./engine-clock.ts";
import { InvariantFailure, reasonOf } from "./engine-failure.ts";

export interface EngineCallsOptions {
  readonly engine: MarketEngine;
  /** Null: calls are not recorded. */
  readonly journal: JournalWriter | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
}

export class EngineCalls {
  readonly #engine: MarketEngine;
  readonly #journal: JournalWriter | null;
  readonly #clock: EngineClock;

  constructor({ engine, journal, now, log }: EngineCallsOptions) {
    this.#engine = engine;
    this.#journal = journal;
    this.#clock = new EngineClock(now, log, engine.now);
  }

  /** Milliseconds of engine time: the clock, but never going back. */
  time(): number {
    return this.#clock.time();
  }

  execute(request: EngineRequest, cancelOnDisconnect: boolean, now: number): Execution {
    const journal = this.#journal;
    const given = journal === null ? request : withSecretDigest(this.#engine.epoch, request);
    const execution = this.#executed(given, now);
    if (journal === null) return execution;
    const { trace } = execution;
    const { userId, operationId, action, validUntil } = given;
    if (trace === null) this.#recordScheduled(execution, now);
    else if (trace.kind === "rejected") {
      const fingerprint = fingerprintText(trace.fingerprint);
      journal.append({ ...trace, fingerprint, userId, operationId, action, now });
    } else {
      const { payload } = trace;
      journal.append({ kind: "execute", userId, operationId, action, payload, validUntil, cancelOnDisconnect, now });
    }
    return execution;
  }

  advance(now: number): Execution {
    return this.#apply({ kind: "advance" }, now, () => this.#engine.advance(now));
  }

  setConnected(userId: string, connected: boolean, now: number): Execution {
    const call = { kind: "setConnected", userId, connected } as const;
    return this.#apply(call, now, () => this.#engine.setConnected(userId, connected, now));
  }

  cancelDisconnected(orderIds: readonly string[], now: number): Execution {
    const call = { kind: "cancelDisconnected", orderIds } as const;
    return this.#apply(call, now, () => this.#engine.cancelDisconnected(orderIds, now));
  }

  #executed(request: EngineRequest, now: number): Execution {
    try {
      return this.#engine.execute(request, now, this.#journal?.refusal);
    } catch (error) {
      const { userId, operationId, action } = request;
      return this.#fail({ kind: "execute", userId, operationId, action }, now, error);
    }
  }

  #apply(call: Exclude<AppliedCall, { kind: "execute" }>, now: number, work: () => Execution): Execution {
    let execution: Execution;
    try {
      execution = work();
    } catch (error) {
      return this.#fail(call, now, error);
    }
    this.#journal?.append({ ...call, now });
    return execution;
  }

  #fail(call: FailedCall, now: number, error: unknown): never {
    this.#journal?.append({ kind: "failed", call, error: reasonOf(error), now });
    throw new InvariantFailure(call, error, this.#journal !== null);
  }

  /** Records the scheduled changes that were due, if the request itself left no trace. */
  #recordScheduled({ messages, audit }: Execution, now: number): void {
    if (messages.length > 0 || audit !== "") this.#journal?.append({ kind: "advance", now });
  }
}
