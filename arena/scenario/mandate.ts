// What an agent is told to do in an episode: the scenario's brief, with the amounts and names that the seed decides.

import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { type OperatingTerms, operatingTermsWith } from "./operating-terms.ts";
import type { Scenario } from "./scenario.ts";
import type { TimeMode } from "./time-mode.ts";
import { PLACEHOLDER, type TradingTerms, tradingTermsWith } from "./trading-terms.ts";

type Drawn = Readonly<Record<string, number | string>>;

export interface Mandate {
  /** Of the scenario. */
  readonly name: string;
  readonly title: string;
  readonly brief: string;
  /** What was drawn, by name. */
  readonly amounts: Drawn;
  /** Null if no result is asked for. */
  readonly terms: TradingTerms | null;
  /** Null in a trading scenario. The agent is told nothing of it but the schema of its answer. */
  readonly operating: OperatingTerms | null;
  /** How market time passes besides in waits. */
  readonly time: TimeMode;
  /** For whom the agent acts. */
  readonly userId: string;
  readonly entityId: string | null;
}

/** Of a step: sums of decimals are not exact. */
const STEP_TOLERANCE = 1e-9;

/** The same scenario and seed give the same mandate. */
export function mandateOf(
  { name, title, brief, draws, time, userId, trading, operating }: Scenario,
  { seed, entityId }: { readonly seed: number; readonly entityId: string | null },
): Mandate {
  const random = new SeededRandom(seed).fork(`arena ${name}`);
  const amounts = Object.fromEntries(
    Object.entries(draws).map(([what, draw]) => [what, drawnBy(random.fork(what), draw)]),
  );
  return {
    name,
    title,
    brief: brief.replaceAll(PLACEHOLDER, (_, amount: string) => String(amounts[amount])),
    amounts,
    terms: trading === undefined ? null : tradingTermsWith(trading, amounts),
    operating: operating === undefined ? null : operatingTermsWith(operating, amounts),
    time,
    userId,
    entityId,
  };
}

function drawnBy(random: SeededRandom, draw: Scenario["draws"][string]): number | string {
  if ("oneOf" in draw) return draw.oneOf[random.integer(0, draw.oneOf.length - 1)]!;
  const { least, most, step } = draw;
  const steps = Math.floor((most - least) / step + STEP_TOLERANCE);
  return least + random.integer(0, steps) * step;
}
