// The calls of one state, one after the other. Each is a transaction. It first carries out everything that is scheduled up to
// its time, so a call always meets the market of that time, and it ends by forgetting what is above the retention.
//
// Each call brings market time and real time. Neither goes back: a call with an earlier time than the last one counts as made
// at that last time.

import type { Execution, RequestTrace, WrittenAnswer } from "./api/market-engine.ts";
import { type EngineState, nextDeadline } from "./state/engine-state.ts";
import { carryOutDue } from "./trading/schedule-changes.ts";
import { Changes } from "./transaction/changes.ts";
import type { Recorder } from "./transaction/recorder.ts";
import { forgetOldest } from "./transaction/retention.ts";
import { Transaction } from "./transaction/transaction.ts";

export class Transactions {
  readonly #transaction: Transaction;
  /** When the schedule next has something to do. Only carrying that out changes the schedule. */
  #due = -Infinity;

  /** `recorder` null: nobody listens. */
  constructor(readonly state: EngineState, readonly recorder: Recorder | null) {
    this.#transaction = new Transaction(state, new Changes(), recorder);
  }

  /**
   * The last transaction must have ended. Scheduled changes have no actor.
   * @param now market time
   * @param actor the user whose request it is
   */
  begin(now: number, actor: string | null = null, realNow: number = now): Transaction {
    const { state } = this;
    const transaction = this.#transaction;
    const until = Math.max(now, state.now);
    state.realNow = Math.max(realNow, state.realNow);
    transaction.begin();
    if (until >= this.#due) {
      carryOutDue(transaction, until);
      this.#due = nextDeadline(state) ?? Infinity;
    } else transaction.moveTo(until);
    transaction.actor = actor;
    return transaction;
  }

  end(transaction: Transaction, response: WrittenAnswer | null = null, trace: RequestTrace | null = null): Execution {
    forgetOldest(transaction);
    return transaction.execution(response, trace);
  }
}
