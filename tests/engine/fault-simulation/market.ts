// The market of a seed: always the same three entities, two contracts and users, with little credit, so that limits matter.
// It is open around the clock, or the run starts shortly before the open or the close.

import { type MarketDefinition, marketDefinition } from "../../../engine/definition/market-definition.ts";
import { scheduledMarket, smallMarket, START, USERS } from "../support/market.ts";
import { CLOSE, OPEN } from "../support/sessions.ts";

export interface SimulatedMarket {
  readonly definition: MarketDefinition;
  /** Milliseconds since the epoch. */
  readonly start: number;
  /** When its session changes during the run; null around the clock. */
  readonly changesAt: number | null;
}

const BEFORE_CHANGE_MS = 10_000;

export const TRADERS = [USERS.alpha, USERS.beta, USERS.gamma, USERS.alphaSecond, USERS.blind] as const;
export const ENTITIES = ["ALPHA", "BETA", "GAMMA"] as const;

const tight = marketDefinition.parse({
  ...smallMarket(),
  creditDefaults: {
    limits: [
      { limitType: "notional", scope: "total", limit: 40, marginPercent: 50 },
      { limitType: "mw", scope: "per_contract", contractId: "N-H12", limit: 25 },
      { limitType: "mwh", scope: "total", limit: 400 },
    ],
    documentation: "docs_in_place",
  },
});
const scheduled = { ...tight, markets: scheduledMarket().markets };

export function marketOf(seed: number): SimulatedMarket {
  if (seed % 2 === 0) return { definition: tight, start: START, changesAt: null };
  const changesAt = Date.parse(seed % 4 === 1 ? OPEN : CLOSE);
  return { definition: scheduled, start: changesAt - BEFORE_CHANGE_MS, changesAt };
}
