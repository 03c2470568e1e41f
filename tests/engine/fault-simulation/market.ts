// The market of a seed: always the same three entities, two contracts and users, with little credit, so that limits matter.
// It is open around the clock, or the run starts shortly before the open or the close.

import { type MarketDefinition, marketDefinition } from "../../../engine/definition/market-definition.ts";
import { smallMarket, USERS } from "../support/market.ts";

export interface SimulatedMarket {
  readonly definition: MarketDefinition;
  /** Milliseconds since the epoch. */
  readonly start: number;
  /** When its session changes during the run; null around the clock. */
  readonly changesAt: number | null;
}

const DAYS = ["mon", "tue", "wed", "thu", "fri"] as const;
const SCHEDULE = { days: [...DAYS], preopen: "08:30", open: "09:00", close: "17:00" };
const AROUND_THE_CLOCK = Date.parse("2026-01-14T13:00:00Z");
const OPEN = Date.parse("2026-01-14T14:00:00Z");
const CLOSE = Date.parse("2026-01-14T22:00:00Z");
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
const scheduled = { ...tight, markets: tight.markets.map((market) => ({ ...market, schedule: SCHEDULE })) };

export function marketOf(seed: number): SimulatedMarket {
  switch (seed % 4) {
    case 1:
      return { definition: scheduled, start: OPEN - BEFORE_CHANGE_MS, changesAt: OPEN };
    case 3:
      return { definition: scheduled, start: CLOSE - BEFORE_CHANGE_MS, changesAt: CLOSE };
    default:
      return { definition: tight, start: AROUND_THE_CLOCK, changesAt: null };
  }
}
