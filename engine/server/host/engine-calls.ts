// Calls the engine with market time and real time, and appends each call that changed something to the journal.
//
// A call is appended after its execution. Nothing is published before the journal is committed, so a crash in between
// loses nothing that anyone has seen. The journal keeps accepted requests as parsed, and only the outcome of rejected
// ones. A call that throws is appended as failed, and the engine must not be called again.
//
// Invariants: neither time goes back. Market time stands still while the machine's clock is not followed (engine-clock.ts).

import type { Logger } from "../../../common/logger.ts";
import type { ClockSetting } from "../../../protocol/index.ts";
import { fingerprintText } from "../../api/fingerprint.ts";
import type { EngineRequest, Execution, MarketEngine } from "../../api/market-engine.ts";
import type { Rejection } from "../../api/outcome.ts";
import type { AppliedCall, CallTimes, FailedCall } from "../../journal/journal-call.ts";
import type { JournalWriter } from "../../journal/journal-writer.ts";
import { withSecretDigest } from "../../journal/secret-digest.ts";
import type { EngineCounters } from "../metrics/engine-counters.ts";
import { refusalDuring } from "./clock-jump.ts";
import { EngineClock } from "./engine-clock.ts";
import { InvariantFailure, reasonOf } from "./engine-failure.ts";
import { MarketClock, type Times } from "./market-clock.ts";

interface EngineCallsOptions {
  readonly engine: MarketEngine;
  /** As in the journal's header. */
  readonly engineId: string;
  /** Null: calls are not recorded. */
  readonly journal: JournalWriter | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly steadyNow?: (() => number) | undefined;
  readonly maxClockJumpMs?: number | undefined;
  readonly log: Logger;
  readonly counters: EngineCounters;
  /** Called before the failure is thrown. */
  readonly onFailure: (failure: InvariantFailure) => void;
}

/** How soon the clock is looked at again while it is not followed. */
const JUMP_CHECK_MS = 1000;

export class EngineCalls {
  readonly #engine: MarketEngine;
  readonly #engineId: string;
  readonly #journal: JournalWriter | null;
  readonly #counters: EngineCounters;
  readonly #onFailure: (failure: InvariantFailure) => void;
  readonly #clock: EngineClock;
  readonly #marketClock: MarketClock;
  /** The clock as the engine had it after the last call. */
  #followed: ClockSetting;
  /** Market time when it was last asked for. */
  #marketNow: number;

  constructor(options: EngineCallsOptions) {
    const { engine, engineId, journal, now, steadyNow, maxClockJumpMs, log, counters, onFailure } = options;
    this.#engine = engine;
    this.#engineId = engineId;
    this.#counters = counters;
    this.#onFailure = onFailure;
    this.#journal = journal;
    this.#clock = new EngineClock({ now, steadyNow, maxJumpMs: maxClockJumpMs, log, latest: engine.realNow });
    this.#followed = engine.clock;
    this.#marketClock = new MarketClock(engine.clock, engine.now, this.#clock.time());
    this.#marketNow = engine.now;
  }

  /** The answer to new requests with an action, or with most actions; null: they are carried out. */
  refusal(action = ""): Rejection | null {
    return this.#journal?.refusal ?? refusalDuring(this.#clock.jumpMs, action);
  }

  /** By how much the machine's clock is ahead of engine time while it is not followed; negative: behind; 0: it is followed. */
  clockJumpMs(): number {
    this.#clock.time();
    return this.#clock.jumpMs;
  }

  /** Follows the machine's clock as it is. Returns the jump that it had made; 0: it was followed already. */
  acceptClock(): number {
    return this.#clock.accept();
  }

  /** Both times of the next call. */
  times(): Times {
    const realNow = this.#clock.time();
    if (this.#clock.jumpMs === 0) this.#marketNow = this.#marketClock.at(realNow);
    return { now: this.#marketNow, realNow };
  }

  /** Real milliseconds until a market time; 0 if it has passed, Infinity if market time stands still for good. */
  waitMs(time: number): number {
    const realNow = this.#clock.time();
    return this.#clock.jumpMs === 0 ? this.#marketClock.waitMs(time, realNow) : JUMP_CHECK_MS;
  }

  /** Follows the engine's clock after a call. Returns whether it has changed, or has been moved on. */
  followClock(): boolean {
    const { clock } = this.#engine;
    // Asked after each call, and hardly ever changed.
    if (clock === this.#followed && clock.mode !== "lockstep") return false;
    const { now, realNow } = this.#engine;
    this.#followed = clock;
    return this.#marketClock.follow(clock, { now, realNow });
  }

  execute(request: EngineRequest, cancelOnDisconnect: boolean, times: Times): Execution {
    const journal = this.#journal;
    const given = journal === null ? request : withSecretDigest(this.#engineId, request);
    const execution = this.#executed(given, times);
    if (journal === null) return execution;
    const { trace } = execution;
    const { userId, operationId, action, validUntil } = given;
    if (trace === null) this.#recordScheduled(execution, times);
    else if (trace.kind === "rejected") {
      const fingerprint = fingerprintText(trace.fingerprint);
      journal.append({ ...trace, fingerprint, userId, operationId, action, ...recorded(times) });
    } else {
      const { payload } = trace;
      const call = { kind: "execute", userId, operationId, action, payload, validUntil, cancelOnDisconnect } as const;
      journal.append({ ...call, ...recorded(times) });
    }
    return execution;
  }

  advance(times: Times): Execution {
    const { now, realNow } = times;
    return this.#apply({ kind: "advance" }, times, () => this.#engine.advance(now, realNow));
  }

  setConnected(userId: string, connected: boolean, times: Times): Execution {
    const { now, realNow } = times;
    const call = { kind: "setConnected", userId, connected } as const;
    return this.#apply(call, times, () => this.#engine.setConnected(userId, connected, now, realNow));
  }

  cancelDisconnected(orderIds: readonly string[], times: Times): Execution {
    const { now, realNow } = times;
    const call = { kind: "cancelDisconnected", orderIds } as const;
    return this.#apply(call, times, () => this.#engine.cancelDisconnected(orderIds, now, realNow));
  }

  setClock(clock: ClockSetting, times: Times): Execution {
    const { now, realNow } = times;
    return this.#apply({ kind: "setClock", clock }, times, () => this.#engine.setClock(clock, now, realNow));
  }

  #executed(request: EngineRequest, times: Times): Execution {
    const started = performance.now();
    try {
      const execution = this.#engine.execute(request, times.now, times.realNow, this.refusal(request.action));
      this.#counters.request(request.action, execution.response, performance.now() - started);
      return execution;
    } catch (error) {
      const { userId, operationId, action } = request;
      return this.#fail({ kind: "execute", userId, operationId, action }, times, error);
    }
  }

  #apply(call: Exclude<AppliedCall, { kind: "execute" }>, times: Times, work: () => Execution): Execution {
    let execution: Execution;
    try {
      execution = work();
    } catch (error) {
      return this.#fail(call, times, error);
    }
    this.#journal?.append({ ...call, ...recorded(times) });
    return execution;
  }

  #fail(call: FailedCall, times: Times, error: unknown): never {
    this.#journal?.append({ kind: "failed", call, error: reasonOf(error), ...recorded(times) });
    const failure = new InvariantFailure(call, error, this.#journal !== null);
    this.#onFailure(failure);
    throw failure;
  }

  /** Records the scheduled changes that were due, if the request itself left no trace. */
  #recordScheduled({ messages, audit }: Execution, times: Times): void {
    if (messages.length > 0 || audit !== "") this.#journal?.append({ kind: "advance", ...recorded(times) });
  }
}

function recorded({ now, realNow }: Times): CallTimes {
  return now === realNow ? { now } : { now, realNow };
}
