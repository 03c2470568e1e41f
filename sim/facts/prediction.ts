// Facts about what prices know: the mid moves about as much as the best forecast, and predicts the delivery price better than
// the median persona.
//
// The delivery price is the mean spot price of the delivery hours, for contracts whose delivery ends within the run. Mid and
// forecast are compared at the same times, those of the personas' forecasts on the tape, while the contract may be traded and
// its book has two sides. Each persona's error is summed over all contracts, also rarely traded ones, and so is the mid's over
// the same times.

import type { TapeContract } from "./contracts.ts";
import { below, between, type FactGroup, type Sample, tradedContracts } from "./figure.ts";
import { mayTrade, midAt, priceAt } from "./market-minutes.ts";
import { medianOfPresent, momentsOf } from "./series.ts";
import { BEST, type Tape } from "./recorded-tape.ts";

const SPOT_STEPS_PER_HOUR = 12;

/** Sums over the times of one persona's forecasts. */
interface Errors {
  mid: number;
  midSquared: number;
  persona: number;
  personaSquared: number;
}

export const predictionFacts: FactGroup = {
  figures: [
    {
      id: "prediction.baseSd",
      title: "5-min sd of the day-ahead base mid / of the best forecast",
      target: between(0.8, 2),
    },
    {
      id: "prediction.absolute",
      title: "mean absolute error of the mid / of the median persona",
      target: below(1),
    },
    { id: "prediction.squared", title: "root mean squared error" },
    { id: "prediction.byContract", title: "absolute error, median over contracts" },
    { id: "prediction.oftenTraded", title: "absolute error, contracts with at least 100 trades alone" },
    { id: "prediction.best", title: "absolute error of the mid / of the best forecast" },
  ],
  measure,
};

function measure(tape: Tape): Sample[] {
  const traded = tradedContracts(tape);
  const delivered = [...tape.quotes.keys()];
  const errors = errorsIn(tape, delivered);
  const personas = (some: ReadonlyMap<string, Errors>) =>
    [...some].filter(([id]) => id !== BEST).map(([, each]) => each);
  const absolute = (some: ReadonlyMap<string, Errors>) =>
    medianOfPresent(personas(some).map(({ mid, persona }) => mid / persona));
  const best = errors.get(BEST);
  return [
    ...traded.flatMap((contractId) => baseSd(tape, contractId)),
    { figure: "prediction.absolute", value: absolute(errors) },
    {
      figure: "prediction.squared",
      value: medianOfPresent(
        personas(errors).map(({ midSquared, personaSquared }) => Math.sqrt(midSquared / personaSquared)),
      ),
    },
    ...delivered.map((contractId) => ({
      figure: "prediction.byContract",
      contractId,
      value: absolute(errorsIn(tape, [contractId])),
    })),
    { figure: "prediction.oftenTraded", value: absolute(errorsIn(tape, traded)) },
    { figure: "prediction.best", value: best === undefined ? NaN : best.mid / best.persona },
  ];
}

/** The changes of mid and best forecast between the forecast's times, over the steps in which both are known. */
function baseSd(tape: Tape, contractId: string): Sample[] {
  const [contract, quotes] = [tape.contracts.get(contractId), tape.quotes.get(contractId)];
  const best = tape.forecasts.get(contractId)?.get(BEST);
  if (contract?.kind !== "base" || quotes === undefined || best === undefined) return [];
  const mids = best.times.map((time) => mayTrade(contract, time) ? midAt(quotes, time) : NaN);
  return [{ figure: "prediction.baseSd", contractId, value: sdRatio(mids, best.prices) }];
}

/** The standard deviation of the changes of one series over that of the other, over the changes that both have. */
export function sdRatio(one: Float64Array, other: Float64Array): number {
  const changes = Array.from(
    { length: Math.max(0, one.length - 1) },
    (_, at) => [one[at + 1]! - one[at]!, other[at + 1]! - other[at]!] as const,
  ).filter(([first, second]) => !Number.isNaN(first + second));
  const variance = (place: 0 | 1) => momentsOf(Float64Array.from(changes, (change) => change[place])).variance;
  return Math.sqrt(variance(0) / variance(1));
}

/** The errors of each forecaster and of the mid, summed over some contracts. */
function errorsIn(tape: Tape, contractIds: readonly string[]): Map<string, Errors> {
  const errors = new Map<string, Errors>();
  for (const id of contractIds) {
    const [contract, quotes, forecasters] = [tape.contracts.get(id), tape.quotes.get(id), tape.forecasts.get(id)];
    if (contract === undefined || quotes === undefined || forecasters === undefined) continue;
    const delivered = deliveryPrice(tape, contract);
    if (Number.isNaN(delivered)) continue;
    const personas = [...forecasters].filter(([name]) => name !== BEST);
    const times = new Set(personas.flatMap(([, series]) => [...series.times]));
    for (const time of times) {
      const mid = mayTrade(contract, time) ? midAt(quotes, time) : NaN;
      if (Number.isNaN(mid)) continue;
      for (const [name, series] of forecasters) add(errors, name, mid - delivered, priceAt(series, time) - delivered);
    }
  }
  return errors;
}

function add(errors: Map<string, Errors>, name: string, mid: number, persona: number): void {
  if (Number.isNaN(persona)) return;
  const sums = errors.get(name) ?? { mid: 0, midSquared: 0, persona: 0, personaSquared: 0 };
  errors.set(name, sums);
  sums.mid += Math.abs(mid);
  sums.midSquared += mid ** 2;
  sums.persona += Math.abs(persona);
  sums.personaSquared += persona ** 2;
}

/** The mean spot price of a contract's delivery, in cents/MWh; NaN if its delivery is not all on the tape. */
export function deliveryPrice({ spot }: Tape, contract: TapeContract): number {
  const series = spot.get(contract.node);
  if (series === undefined || !contract.isContiguous) return NaN;
  let [count, sum] = [0, 0];
  series.times.forEach((time, row) => {
    if (time < contract.deliveryStart || time >= contract.deliveryEnd) return;
    count += 1;
    sum += series.prices[row]!;
  });
  return count === contract.hours * SPOT_STEPS_PER_HOUR ? sum / count : NaN;
}
