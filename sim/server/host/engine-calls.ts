// The calls of the engine: the one place that makes them. It brings the clock, and notes in the journal what each call left.
//
// A call is carried out first and noted after; nothing leaves before the commit, so a call that was carried out and is not
// noted is nowhere. The journal gets accepted requests as parsed, and of refused ones the outcome alone. A call that
// throws is noted as failed, and the engine is not called again.
//
// Invariant: time never goes back.

import type { Logger } from "../../../common/logger.ts";
import type { StateMessage } from "../../../protocol/index.ts";
import type {
  EngineRequest,
  EngineUser,
  Execution,
  MarketEngine,
  OperationName,
} from "../../engine/api/market-engine.ts";
import type { AppliedCall, FailedCall } from "../../journal/journal-call.ts";
import type { JournalWriter } from "../../journal/journal-writer.ts";
import { concealSecret } from "../../journal/secret-digest.ts";
import { EngineClock } from "./engine-clock.ts";
import { InvariantFailure, reasonOf } from "./engine-failure.ts";

export interface EngineCallsOptions {
  readonly engine: MarketEngine;
  /** Null: nowhere. */
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
    this.#clock = new EngineClock(now, log);
  }

  get epoch(): number {
    return this.#engine.epoch;
  }

  get sequence(): number {
    return this.#engine.sequence;
  }

  /** When the schedule next has something to do; null if nothing is scheduled. */
  get deadline(): number | null {
    return this.#engine.nextDeadline();
  }

  /** Milliseconds of engine time: the clock, but never going back. */
  time(): number {
    return this.#clock.time();
  }

  user(userId: string): EngineUser | undefined {
    return this.#engine.user(userId);
  }

  snapshot(): Iterable<StateMessage> {
    return this.#engine.snapshot(this.time());
  }

  checkpoint(): Iterable<unknown> {
    return this.#engine.checkpoint();
  }

  execute(request: EngineRequest, cancelOnDisconnect: boolean, now: number): Execution {
    const { payload, ...name } = this.#journal === null ? request : concealSecret(this.epoch, request);
    const operation = nameOf(name);
    const execution = this.#carryOut(
      { kind: "execute", ...operation },
      now,
      () => this.#engine.execute({ ...name, payload }, now, this.#journal?.refusal),
    );
    const { trace } = execution;
    if (trace === null) this.#noteDue(execution, now);
    else if (trace.kind === "refused") this.#journal?.note({ ...trace, ...operation, now });
    else {
      this.#journal?.note({ ...name, kind: "execute", payload: trace.payload, cancelOnDisconnect, now });
    }
    return execution;
  }

  advance(now: number): Execution {
    return this.#apply({ kind: "advance" }, now, () => this.#engine.advance(now));
  }

  setConnected(userId: string, connected: boolean, now: number): Execution {
    return this.#apply(
      { kind: "setConnected", userId, connected },
      now,
      () => this.#engine.setConnected(userId, connected, now),
    );
  }

  cancelDisconnected(orderIds: readonly string[], now: number): Execution {
    return this.#apply(
      { kind: "cancelDisconnected", orderIds },
      now,
      () => this.#engine.cancelDisconnected(orderIds, now),
    );
  }

  #apply(call: Exclude<AppliedCall, { kind: "execute" }>, now: number, work: () => Execution): Execution {
    const execution = this.#carryOut(call, now, work);
    this.#journal?.note({ ...call, now });
    return execution;
  }

  #carryOut(call: FailedCall, now: number, work: () => Execution): Execution {
    try {
      return work();
    } catch (error) {
      this.#journal?.note({ kind: "failed", call, error: reasonOf(error), now });
      throw new InvariantFailure(call, error, this.#journal !== null);
    }
  }

  /** What the clock brought about in a call that left nothing else. */
  #noteDue({ states, events, audit }: Execution, now: number): void {
    if (states.length + events.length + audit.length > 0) this.#journal?.note({ kind: "advance", now });
  }
}

function nameOf({ userId, operationId, action }: OperationName): OperationName {
  return { userId, operationId, action };
}
