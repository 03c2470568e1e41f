// Facts about changes of the mid over one minute (Cont 2001): they are nearly uncorrelated, their sizes are correlated for
// long, and they have heavy tails.
//
// A return is the change of the mid from minute to minute, in cents, because power prices may be zero or negative. The same
// figures of logarithmic returns are shown beside them, over the minutes with a positive mid. Minutes without a mid are left
// out, with the pairs that they belong to.

import { above, between, type FactGroup, type Sample, tradedContracts } from "./figure.ts";
import { midsByMinute } from "./market-minutes.ts";
import { autocorrelation, changesOf, excessKurtosis, logarithmsOf, varianceRatio } from "./series.ts";
import type { Tape } from "./recorded-tape.ts";

const HORIZON_MINUTES = 120;
/** The lags of the autocorrelation of the size of returns, in minutes, with their targets. */
const SIZE_LAGS = [{ lag: 1, least: 0.15 }, { lag: 10, least: 0.08 }, { lag: 30, least: 0.04 }] as const;

export const returnFacts: FactGroup = {
  figures: [
    { id: "returns.lag1", title: "autocorrelation of 1-min mid returns, lag 1", target: between(-0.1, 0.1) },
    { id: "returns.log.lag1", title: "of log returns" },
    { id: "returns.varianceRatio", title: "variance ratio at 120 min", target: between(0.7, 1.3) },
    { id: "returns.log.varianceRatio", title: "of log prices" },
    ...SIZE_LAGS.map(({ lag, least }) => ({
      id: `returns.size${lag}`,
      title: `autocorrelation of their size, ${lag} min`,
      target: above(least),
    })),
    {
      id: "returns.sizeFalls",
      title: "least fall from one of these lags to the next",
      target: above(0),
      derived: (valueOf) =>
        Math.min(
          valueOf("returns.size1") - valueOf("returns.size10"),
          valueOf("returns.size10") - valueOf("returns.size30"),
        ),
    },
    ...SIZE_LAGS.map(({ lag }) => ({ id: `returns.log.size${lag}`, title: `of log returns, ${lag} min` })),
    { id: "returns.kurtosis", title: "excess kurtosis of returns", target: above(6) },
    { id: "returns.log.kurtosis", title: "of log returns" },
  ],
  measure,
};

function measure(tape: Tape): Sample[] {
  return tradedContracts(tape).flatMap((contractId) => {
    const [quotes, contract] = [tape.quotes.get(contractId), tape.contracts.get(contractId)];
    if (quotes === undefined || contract === undefined) return [];
    const mids = midsByMinute(quotes, contract, tape.minutes);
    return [
      ...figuresOf(mids).map(([name, value]) => ({ figure: `returns.${name}`, contractId, value })),
      ...figuresOf(logarithmsOf(mids)).map(([name, value]) => ({ figure: `returns.log.${name}`, contractId, value })),
    ];
  });
}

/** `prices`: by minute, NaN if missing. */
function figuresOf(prices: Float64Array): [name: string, value: number][] {
  const returns = changesOf(prices);
  const sizes = returns.map(Math.abs);
  return [
    ["lag1", autocorrelation(returns, 1)],
    ["varianceRatio", varianceRatio(prices, HORIZON_MINUTES)],
    ...SIZE_LAGS.map(({ lag }): [string, number] => [`size${lag}`, autocorrelation(sizes, lag)]),
    ["kurtosis", excessKurtosis(returns)],
  ];
}
