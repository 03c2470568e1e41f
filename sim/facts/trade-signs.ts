// Facts about the order of trades: buys follow buys, because large orders are worked in parts (Lillo, Mike & Farmer 2005).
// And about their sizes, which have a heavy tail.
//
// The sign of a trade is 1 if the buyer was the aggressor, otherwise -1. Lags count the trades of a contract. An order that
// takes several resting orders is several rows of the tape; `merged` counts the rows of one such sweep as one trade.

import { above, type FactGroup, type Sample, tradedContracts } from "./figure.ts";
import { autocorrelation, excessKurtosis } from "./series.ts";
import type { Tape, Trades } from "./recorded-tape.ts";

interface Sweep {
  readonly time: number;
  readonly sign: number;
  readonly quantity: number;
}

export const tradeFacts: FactGroup = {
  figures: [
    { id: "signs.lag1", title: "autocorrelation of trade signs, lag 1", target: above(0.15) },
    { id: "signs.lag10", title: "autocorrelation of trade signs, lag 10", target: above(0.03) },
    { id: "signs.merged.lag1", title: "sweeps merged, lag 1", target: above(0.15) },
    { id: "signs.merged.lag10", title: "sweeps merged, lag 10", target: above(0.03) },
    { id: "sizes.kurtosis", title: "excess kurtosis of trade sizes", target: above(2) },
    { id: "sizes.merged.kurtosis", title: "sweeps merged" },
  ],
  measure: (tape: Tape): Sample[] =>
    tradedContracts(tape).flatMap((contractId) => {
      const trades = tape.trades.get(contractId)!;
      const merged = sweepsOf(trades);
      const signs = Float64Array.from(merged, ({ sign }) => sign);
      const sample = (figure: string, value: number) => ({ figure, contractId, value });
      return [
        sample("signs.lag1", autocorrelation(trades.signs, 1)),
        sample("signs.lag10", autocorrelation(trades.signs, 10)),
        sample("signs.merged.lag1", autocorrelation(signs, 1)),
        sample("signs.merged.lag10", autocorrelation(signs, 10)),
        sample("sizes.kurtosis", excessKurtosis(trades.quantities)),
        sample("sizes.merged.kurtosis", excessKurtosis(Float64Array.from(merged, ({ quantity }) => quantity))),
      ];
    }),
};

/** Consecutive trades of one aggressor on one side at one time, added up. */
export function sweepsOf({ times, signs, quantities, buyers, sellers }: Trades): Sweep[] {
  const sweeps: (Sweep & { readonly aggressor: string })[] = [];
  for (let at = 0; at < times.length; at++) {
    const [time, sign, quantity] = [times[at]!, signs[at]!, quantities[at]!];
    const aggressor = (sign > 0 ? buyers[at] : sellers[at]) ?? "";
    const last = sweeps.at(-1);
    const continues = last !== undefined && last.time === time && last.sign === sign && last.aggressor === aggressor;
    if (continues) sweeps[sweeps.length - 1] = { ...last, quantity: last.quantity + quantity };
    else sweeps.push({ time, sign, quantity, aggressor });
  }
  return sweeps;
}
