// The part of the fit on the spread between the nodes. An hour is congested if the spread is more than a dollar.

import type { CongestionSpread } from "../../sim/spot/spot-parameters.ts";
import { correlationOfPairs } from "./extreme-regimes.ts";
import type { PriceHistory } from "./price-history.ts";
import { moments } from "../../sim/facts/moments.ts";

const THRESHOLD_DOLLARS = 1;

/** `normal`: normal price of each hour, in dollars/MWh. */
export function fitCongestion({ first, second }: PriceHistory, normal: Float64Array): CongestionSpread {
  const spread = second.map((price, at) => price - first[at]!);
  const states = Array.from(spread, (each) => Math.abs(each) <= THRESHOLD_DOLLARS ? 0 : each > 0 ? 1 : 2);
  const counts = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  for (let at = 1; at < states.length; at++) counts[states[at - 1]!]![states[at]!]! += 1;
  const logs = spread.map((each, at) => states[at] === 0 ? NaN : Math.log(Math.abs(each) / normal[at]!));
  const [up, down] = [1, 2].map((state) => moments(logs.filter((_, at) => states[at] === state)));
  if (up === undefined || down === undefined) throw new Error("the nodes' prices never differ by more than a dollar");
  const centred = logs.map((log, at) => log - (states[at] === 1 ? up.mean : down.mean));
  return {
    transitions: counts.map((row) => {
      const [none = 0, upwards = 0, downwards = 0] = row.map((count) => count / (row[0]! + row[1]! + row[2]!));
      return [none, upwards, downwards] as const;
    }),
    upLogMean: up.mean,
    downLogMean: down.mean,
    sizeLogSd: (up.sd + down.sd) / 2,
    sizeMemory: correlationOfPairs(centred, (at) => Number.isFinite(centred[at]!)),
  };
}
