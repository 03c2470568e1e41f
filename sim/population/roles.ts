// What a persona gets by the role of its strategy, unless its group says otherwise.

import type { Business } from "../../engine/market/business.ts";
import type { InformationSettings } from "../information/settings.ts";
import { ARBITRAGE_LIMITS, DEFAULT_LIMITS, MAKER_LIMITS, type PersonaLimits } from "../personas/limits.ts";
import { strategyEntry } from "../strategies/known-strategies.ts";
import type { StrategyRole } from "../strategies/registry.ts";

interface RoleTraits {
  /** The businesses of companies for which it trades. Roles with the same list share the rounds of dealing. */
  readonly businesses: readonly Business[];
  readonly limits: PersonaLimits;
  /** How good its forecasts are. Makers watch the news most closely; the informed trade on their forecasts alone. */
  readonly skill: keyof InformationSettings;
  /** Dollars. */
  readonly lossLimit: number;
}

const TRADING: readonly Business[] = ["trading"];
const TRADER = { businesses: TRADING, limits: DEFAULT_LIMITS, skill: "others", lossLimit: 5_000_000 } as const;

const TRAITS: Readonly<Record<StrategyRole, RoleTraits>> = {
  maker: { ...TRADER, limits: MAKER_LIMITS, skill: "makers", lossLimit: 2_000_000 },
  /** Its client bears the price of what it is told to do. */
  taker: TRADER,
  speculator: TRADER,
  arbitrageur: { ...TRADER, limits: ARBITRAGE_LIMITS, skill: "informed", lossLimit: 1_000_000 },
  /** A utility generates and retails. */
  generator: { ...TRADER, businesses: ["generation", "utility"], skill: "informed", lossLimit: 10_000_000 },
  retailer: { ...TRADER, businesses: ["retail", "utility"], lossLimit: 10_000_000 },
};

/** Of whoever trades an asset of the experiment's own: like a generator. Its limits depend on the asset. */
export const OWNER = TRAITS.generator;

/** Those of a taker if there is no such strategy, as for agents. */
export function traitsOf(strategy: string): RoleTraits {
  const { role = "taker", lossLimit } = strategyEntry(strategy) ?? {};
  return lossLimit === undefined ? TRAITS[role] : { ...TRAITS[role], lossLimit };
}
