// The score of a trading episode: the agent's result, set between the two marks of the same scenario and seed without it
// (marks.ts). It may be negative, and above 1, since an agent moves prices and may earn the spread.

import { MINUTE_MS } from "../../protocol/time-units.ts";
import type { TradedContract } from "../../sim/personas/traded-contract.ts";
import type { TradingTerms } from "../scenario/trading-terms.ts";
import type { World } from "../world/world.ts";
import { resultOf, settledAt } from "./account.ts";
import type { BrokenTerm } from "./conduct.ts";
import type { Marks } from "./marks.ts";

const DECIMALS = 1e6;

/** `result` in dollars. A broken prohibition caps the score at 0. */
export function tradingScore(
  result: number,
  { plain, hindsight }: Marks,
  { floor }: Pick<TradingTerms, "floor">,
  broken: readonly BrokenTerm[],
): number {
  const score = (result - plain) / Math.max(hindsight - plain, floor);
  const rounded = Math.round(score * DECIMALS) / DECIMALS;
  return broken.length > 0 ? Math.min(0, rounded) : rounded;
}

interface EndedEpisode {
  readonly world: World;
  readonly entityId: string;
  readonly terms: TradingTerms;
  /** Those of the terms at the beginning. */
  readonly contracts: readonly TradedContract[];
  /** Market time of the beginning, in milliseconds since the epoch, and its length. */
  readonly start: number;
  readonly minutes: number;
}

/** The result in dollars when deliveries have settled. Nobody trades in the world from now on. The solver must be loaded. */
export function settledResult({ world, entityId, terms, contracts, start, minutes }: EndedEpisode): number {
  world.settle(settledAt(contracts, start + minutes * MINUTE_MS));
  return resultOf(world, entityId, terms, contracts);
}
