// The rows of a tape's results: what each persona has earned in each contract so far, at its mark. They are written at the
// first look after each local midnight of the first market, when a contract leaves the market, and at the end of the run. A
// contract has no more rows once one was written after its delivery, because its results no longer change.
//
// Costs follow the average-cost method, as in the engine (engine/market/position-account.ts).

import { type ExactInteger, negativeOf, sumOf } from "../../engine/market/exact-integer.ts";
import { dollarsOf, megawattsOf } from "../../engine/market/units.ts";
import type { TradedContract } from "../personas/traded-contract.ts";
import { type Holding, valueOf } from "../personas/trading-account.ts";
import type { ObservedMarket } from "./run-observer.ts";
import type { TapeRows } from "./tables.ts";

export class ResultRows {
  /** Of the last rows of all contracts. */
  #writtenAt = -Infinity;
  #nextMidnight: number | null = null;

  constructor(private readonly rows: TapeRows) {}

  atPoint(market: ObservedMarket): void {
    const { time, timezone } = market;
    this.#nextMidnight ??= midnightAfter(time, timezone);
    if (time < this.#nextMidnight) return;
    this.#nextMidnight = midnightAfter(time, timezone);
    this.atEnd(market);
  }

  /** Of a contract that leaves the market. */
  atRemoval(market: ObservedMarket, removed: TradedContract): void {
    this.#write(market, (contract) => contract === removed);
  }

  atEnd(market: ObservedMarket): void {
    if (market.time === this.#writtenAt) return;
    this.#write(market, () => true);
    this.#writtenAt = market.time;
  }

  #write(market: ObservedMarket, isMeant: (contract: TradedContract) => boolean): void {
    const { time } = market;
    for (const { id, strategy, account } of market.personas) {
      for (const holding of account.holdings) {
        const { contract, traded: { bought, sold, cash } } = holding;
        if (contract.deliveryEnd <= this.#writtenAt || !isMeant(contract)) continue;
        const mark = market.markPrice(contract);
        const { realised, unrealised } = resultOf(holding, mark, contract.deliveryEnd <= time);
        this.rows.append("results", time, [
          time,
          id,
          strategy,
          contract.id,
          contract.deliveryStart,
          contract.deliveryEnd,
          megawattsOf(bought),
          megawattsOf(sold),
          dollarsOf(cash),
          mark,
          dollarsOf(realised),
          dollarsOf(unrealised),
        ]);
      }
    }
  }
}

/** At a mark in whole cents/MWh, in the unit of cash. The end of delivery realises everything. */
function resultOf(
  { contract, traded: { net, cash, cost } }: Holding,
  mark: number,
  isDelivered: boolean,
): { readonly realised: ExactInteger; readonly unrealised: ExactInteger } {
  const worth = valueOf(mark, net, contract);
  if (isDelivered) return { realised: sumOf(cash, worth), unrealised: 0 };
  return { realised: sumOf(cash, cost), unrealised: sumOf(worth, negativeOf(cost)) };
}

function midnightAfter(time: number, timezone: string): number {
  const local = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timezone);
  return local.startOfDay().add({ days: 1 }).startOfDay().epochMilliseconds;
}
