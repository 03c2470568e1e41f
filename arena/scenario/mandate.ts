// What an agent is told to do in an episode: the scenario's brief, with the amounts that the seed decides.

import { SeededRandom } from "../../sim/random/seeded-random.ts";
import type { Scenario } from "./scenario.ts";
import { drawnInto, PLACEHOLDER, type TradingTerms } from "./trading-terms.ts";

type Amounts = Readonly<Record<string, number>>;

export interface Mandate {
  readonly title: string;
  readonly brief: string;
  /** The drawn amounts, by their names. */
  readonly amounts: Amounts;
  /** Null if no result is asked for. */
  readonly terms: TradingTerms | null;
  /** For whom the agent acts. */
  readonly userId: string;
  readonly entityId: string | null;
}

/** Of a step: sums of decimals are not exact. */
const STEP_TOLERANCE = 1e-9;

/** The same scenario and seed give the same mandate. */
export function mandateOf(
  { name, title, brief, draws, userId, trading }: Scenario,
  { seed, entityId }: { readonly seed: number; readonly entityId: string | null },
): Mandate {
  const random = new SeededRandom(seed).fork(`arena ${name}`);
  const amounts = Object.fromEntries(
    Object.entries(draws).map(([amount, { least, most, step }]) => {
      const steps = Math.floor((most - least) / step + STEP_TOLERANCE);
      return [amount, least + random.fork(amount).integer(0, steps) * step];
    }),
  );
  const told = brief.replaceAll(PLACEHOLDER, (_, amount: string) => String(amounts[amount]));
  const terms = trading === undefined ? null : drawnInto(trading, amounts);
  return { title, brief: told, amounts, terms, userId, entityId };
}
