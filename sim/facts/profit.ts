// Whether makers and informed traders win and lose: over the seeds, each group's trading result has both signs (Glosten &
// Milgrom 1985; Kyle 1985). And whether what all personas hold sums to zero, at each time of the tape's positions: their cash,
// and their positions in each contract.
//
// A trading result is dollars: sales less purchases, with what is held at the end valued at the contract's mark. The mark is
// the delivery price if the delivery is on the tape, otherwise the last mid, otherwise the last trade.
//
// Quantities are whole kW, so amounts are added up in thousandths of cents, exactly.

import type { TapeContract } from "./contracts.ts";
import { type FactGroup, type Sample, ZERO } from "./figure.ts";
import { midOf } from "./market-minutes.ts";
import { strategyEntry } from "../strategies/known-strategies.ts";
import type { StrategyRole } from "../strategies/registry.ts";
import { deliveryPrice } from "./prediction.ts";
import type { Positions, Tape, Trades } from "./recorded-tape.ts";

const THOUSANDTHS = 1_000;
const UNITS_PER_DOLLAR = 100 * THOUSANDTHS;

const BOTH_SIGNS = { text: "both signs", holds: (share: number) => share > 0 && share < 1 };

export const profitFacts: FactGroup = {
  figures: [
    {
      id: "profit.makers",
      title: "makers' trading result: share of seeds above 0",
      target: BOTH_SIGNS,
      overSeeds: "positiveShare",
    },
    {
      id: "profit.informed",
      title: "informed traders' trading result: share of seeds above 0",
      target: BOTH_SIGNS,
      overSeeds: "positiveShare",
    },
    { id: "profit.makersDollars", title: "makers' trading result, dollars" },
    { id: "profit.informedDollars", title: "informed traders' trading result, dollars" },
    { id: "profit.sum", title: "sum of everybody's cash, dollars, greatest", target: ZERO, overSeeds: "greatest" },
    {
      id: "profit.positions",
      title: "sum of everybody's position in a contract, MW, greatest",
      target: ZERO,
      overSeeds: "greatest",
    },
  ],
  measure,
};

function measure(tape: Tape): Sample[] {
  const results = tradingResults(tape);
  const dollarsOf = (role: StrategyRole) =>
    [...results].reduce((sum, [id, units]) => roleOf(id) === role ? sum + Number(units) : sum, 0) / UNITS_PER_DOLLAR;
  // Informed traders trade on their forecasts alone.
  const [makers, informed] = [dollarsOf("maker"), dollarsOf("arbitrageur")];
  const sums = greatestSums(tape.positions);
  return [
    { figure: "profit.makers", value: makers },
    { figure: "profit.informed", value: informed },
    { figure: "profit.makersDollars", value: makers },
    { figure: "profit.informedDollars", value: informed },
    { figure: "profit.sum", value: sums.cash / UNITS_PER_DOLLAR },
    { figure: "profit.positions", value: sums.position / THOUSANDTHS },
  ];
}

/** Over the times: in thousandths of cents, and in kW. NaN without positions. */
function greatestSums({ length, time, persona, contractId, positionMw, cash }: Positions) {
  const [cashes, positions] = [new Map<number, number>(), new Map<string, number>()];
  const counted = new Set<string>();
  for (let row = 0; row < length; row++) {
    const [at, who, what] = [time[row]!, persona.codes[row]!, contractId.codes[row]!];
    if (!counted.has(`${at} ${who}`)) {
      counted.add(`${at} ${who}`);
      cashes.set(at, (cashes.get(at) ?? 0) + Math.round(cash[row]! * UNITS_PER_DOLLAR));
    }
    const position = positionMw[row]!;
    if (Number.isNaN(position)) continue;
    positions.set(`${at} ${what}`, (positions.get(`${at} ${what}`) ?? 0) + Math.round(position * THOUSANDTHS));
  }
  const greatest = (sums: Iterable<number>) => {
    let most = length === 0 ? NaN : 0;
    for (const sum of sums) most = Math.max(most, Math.abs(sum));
    return most;
  };
  return { cash: greatest(cashes.values()), position: greatest(positions.values()) };
}

/** Of each persona, in thousandths of cents times MW times hours. */
function tradingResults(tape: Tape): Map<string, bigint> {
  const results = new Map<string, bigint>();
  const add = (persona: string, units: bigint) => results.set(persona, (results.get(persona) ?? 0n) + units);
  for (const [id, trades] of tape.trades) {
    const contract = tape.contracts.get(id);
    if (contract === undefined) continue;
    const mark = Math.round(markOf(tape, contract, trades));
    trades.times.forEach((_, at) => {
      const quantity = Math.round(trades.quantities[at]! * THOUSANDTHS) * contract.hours;
      const gain = BigInt(mark - trades.prices[at]!) * BigInt(quantity);
      add(trades.buyers[at]!, gain);
      add(trades.sellers[at]!, -gain);
    });
  }
  return results;
}

function markOf(tape: Tape, contract: TapeContract, trades: Trades): number {
  const delivered = deliveryPrice(tape, contract);
  if (!Number.isNaN(delivered)) return delivered;
  const quotes = tape.quotes.get(contract.id);
  const mid = quotes === undefined ? NaN : midOf(quotes, quotes.times.length - 1);
  return Number.isNaN(mid) ? trades.prices.at(-1) ?? NaN : mid;
}

/** A persona's id is its strategy and a number. Undefined for an agent, and for a strategy that this process doesn't know. */
function roleOf(personaId: string): StrategyRole | undefined {
  return strategyEntry(personaId.replace(/-\d+$/, ""))?.role;
}
