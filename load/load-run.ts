// One load run: opens the connections, sends what is due when it is due, waits for the last answers, and cancels the run's open
// orders. A signal ends the sending early; the rest is as usual.

import { type Mix, OrderFlow } from "./order-flow.ts";
import { ANSWER_LIMIT_MS, type Outcome, type Target, type TradedContract } from "./operation.ts";
import { randomFrom } from "./random.ts";
import { Schedule } from "./schedule.ts";
import { Tally, type TallyFigures } from "./tally.ts";

export interface LoadPlan {
  readonly connections: number;
  /** Requests a second, over all connections. */
  readonly ratePerSecond: number;
  readonly seconds: number;
  readonly mix: Mix;
  readonly seed: number;
  /** Empty: the first contracts that can be traded. */
  readonly contractIds: readonly string[];
}

export interface LoadReport {
  readonly plan: LoadPlan;
  readonly contractIds: readonly string[];
  /** A signal ended it early. */
  readonly interrupted: boolean;
  /** While requests were sent. */
  readonly seconds: number;
  readonly sentPerSecond: number;
  readonly confirmedPerSecond: number;
  readonly requests: TallyFigures;
  readonly reconnects: number;
  readonly cleanUp: CleanUp;
}

interface CleanUp {
  readonly cancelled: number;
  /** Cancels that were refused, since the orders had traded. */
  readonly closedAlready: number;
  /** Orders that may be left. An engine cancels them when their connection ends. */
  readonly left: number;
}

/** Traded if none are named. */
const CONTRACTS = 4;
/** Of the contracts that are traded, none begins delivery within this time after the run. */
const MARGIN_MS = 600_000;
const CLEAN_UP_MS = 10_000;
/** Requests that are sent before answers are read again, if many are due at once. */
const BATCH = 500;
const LONGEST_PAUSE_MS = 100;
/** Cancels under way at the same time while cleaning up. */
const CANCELLED_TOGETHER = 64;

interface LoadHooks {
  /** Resolves when the run shall end early. */
  readonly stopped: Promise<unknown>;
  readonly onProgress: (seconds: number) => void;
}

export class LoadRun {
  readonly #target: Target;
  readonly #plan: LoadPlan;
  readonly #tally = new Tally();
  readonly #flow: OrderFlow;
  #underWay = 0;
  #isStopped = false;

  private constructor(target: Target, plan: LoadPlan, contracts: readonly TradedContract[]) {
    this.#target = target;
    this.#plan = plan;
    this.#flow = new OrderFlow(plan.mix, contracts, plan.connections, randomFrom(plan.seed));
  }

  /** Throws if a connection fails at the start, or if there is nothing to trade. */
  static async run(target: Target, plan: LoadPlan, hooks: LoadHooks): Promise<LoadReport> {
    try {
      await target.open();
      const contracts = await contractsFor(target, plan);
      return await new LoadRun(target, plan, contracts).#run(contracts, hooks);
    } finally {
      await target.close();
    }
  }

  async #run(contracts: readonly TradedContract[], { stopped, onProgress }: LoadHooks): Promise<LoadReport> {
    void stopped.then(() => this.#isStopped = true);
    const started = performance.now();
    const due = await this.#sendAll(started, onProgress);
    const seconds = (performance.now() - started) / 1000;
    await this.#allAnswered();
    const cleanUp = await this.#cleanUp();
    const requests = this.#tally.figures();
    return {
      plan: this.#plan,
      contractIds: contracts.map(({ id }) => id),
      interrupted: this.#isStopped,
      seconds,
      sentPerSecond: (due - requests.notSent) / seconds,
      confirmedPerSecond: requests.confirmed / seconds,
      requests,
      reconnects: this.#target.reconnects,
      cleanUp,
    };
  }

  /** Sends what is due until the time is over. Returns how many requests came due. */
  async #sendAll(started: number, onProgress: (seconds: number) => void): Promise<number> {
    const { ratePerSecond, seconds, connections } = this.#plan;
    const schedule = new Schedule(ratePerSecond, seconds);
    let number = 0;
    for (;;) {
      const elapsed = performance.now() - started;
      if (this.#isStopped) break;
      const due = schedule.dueBy(elapsed);
      const end = Math.min(due, number + BATCH);
      for (; number < end; number++) this.#send(number % connections, started + schedule.dueMs(number));
      onProgress(Math.min(seconds, Math.floor(elapsed / 1000)));
      if (elapsed >= seconds * 1000) break;
      const next = Math.min(schedule.dueMs(number), seconds * 1000, elapsed + LONGEST_PAUSE_MS);
      await Bun.sleep(Math.max(0, next - (performance.now() - started)));
    }
    const missed = this.#isStopped ? 0 : schedule.total - number;
    this.#tally.missed(missed);
    return number + missed;
  }

  #send(connection: number, dueAt: number): void {
    const sent = this.#flow.next(connection);
    const { operation } = sent;
    this.#underWay += 1;
    this.#tally.leaving(performance.now() - dueAt);
    this.#target.send(connection, operation, (outcome) => {
      this.#underWay -= 1;
      this.#flow.settled(connection, sent, outcome);
      this.#tally.settled(operation.kind, outcome, performance.now() - dueAt);
    });
  }

  /** The target settles each request within ANSWER_LIMIT_MS. */
  async #allAnswered(): Promise<void> {
    const end = performance.now() + ANSWER_LIMIT_MS + LONGEST_PAUSE_MS;
    while (this.#underWay > 0 && performance.now() < end) await Bun.sleep(LONGEST_PAUSE_MS / 10);
  }

  /** Takes at most CLEAN_UP_MS and the time of one answer. */
  async #cleanUp(): Promise<CleanUp> {
    const deadline = performance.now() + CLEAN_UP_MS;
    const { connections } = this.#plan;
    let [cancelled, closedAlready, uncertain] = [0, 0, 0];
    const cancelFrom = async (first: number) => {
      for (let connection = first; connection < connections; connection += CANCELLED_TOGETHER) {
        while (performance.now() < deadline) {
          const cancel = this.#flow.nextCancel(connection);
          if (cancel === null) break;
          const outcome = await new Promise<Outcome>((settle) =>
            this.#target.send(connection, cancel.operation, settle)
          );
          if (outcome.kind === "confirmed") cancelled += 1;
          else if (outcome.kind === "refused") closedAlready += 1;
          else uncertain += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: CANCELLED_TOGETHER }, (_, first) => cancelFrom(first)));
    return { cancelled, closedAlready, left: uncertain + this.#flow.openOrders + this.#tally.unknownSubmits };
  }
}

async function contractsFor(target: Target, { contractIds, seconds }: LoadPlan): Promise<readonly TradedContract[]> {
  const tradable = await target.contracts(Date.now() + seconds * 1000 + MARGIN_MS);
  if (contractIds.length === 0) {
    if (tradable.length === 0) throw new Error("no contract is listed that can be traded until the end of the run");
    return tradable.slice(0, CONTRACTS);
  }
  return contractIds.map((id) => {
    const contract = tradable.find((each) => each.id === id);
    if (contract === undefined) throw new Error(`contract ${id} is not listed, or its delivery begins too soon`);
    return contract;
  });
}
