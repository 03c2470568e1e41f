// A market as the dashboard gets it from its server, for tests that show pages.

import type { Book, Connection, ContractRow, Market } from "../../../web/contract/market.ts";
import type { SessionState } from "../../../web/contract/session.ts";

/** 23 November 2026, 05:00 in Edmonton. */
export const NOON = "2026-11-23T12:00:00.000Z";

export const SESSION: SessionState = {
  version: "1.2.3",
  needsToken: true,
  access: "control",
  caller: "desk",
  requestToken: "token",
  expiresAt: null,
  offersControl: true,
};

export const MARKET: Market = {
  id: "M",
  name: "Plains",
  code: "PL",
  status: "open",
  halted: false,
  haltReason: null,
  preopen: null,
  open: null,
  close: null,
  timezone: "America/Edmonton",
  nodes: ["NORTH", "WEST"],
};

export const CONNECTION: Connection = {
  status: "connected",
  userId: "anna",
  entityId: "CEDAR",
  permissions: ["Market.View", "Market.Operate"],
  wasDisconnected: false,
  marketTime: NOON,
  speed: 1,
  stale: false,
  asOf: NOON,
  incomplete: false,
  problem: null,
  offersFreeze: true,
};

/** Hour 6 of the day at NORTH, which begins at NOON. */
const CONTRACT: ContractRow = {
  contractId: "N-6",
  productId: "N-HOURS",
  productName: "NORTH hours",
  productType: "hour",
  node: "NORTH",
  marketId: "M",
  deliveryStart: NOON,
  deliveryEnd: "2026-11-23T13:00:00.000Z",
  hours: 1,
  bestBid: 4_600,
  bestAsk: 4_675,
  bestBidVolume: 5,
  bestAskVolume: 7.5,
  lastPrice: 4_650,
  tradedQuantity: 1_234,
  workingOrders: 12,
};

export const BOOK: Book = {
  contractId: "N-6",
  bids: [{ price: 4_600, volume: 5, orderCount: 2 }],
  asks: [{ price: 4_675, volume: 7.5, orderCount: 1 }],
  lastPrice: 4_650,
  lastUpdate: NOON,
};

const HOUR = 3_600_000;
/** Some hours after NOON. */
export const at = (hours: number) => new Date(Date.parse(NOON) + hours * HOUR).toISOString();

/** The contract of an hour that begins some hours after NOON. */
export const hour = (inHours: number, change: Partial<ContractRow> = {}): ContractRow => ({
  ...CONTRACT,
  contractId: `N-${6 + inHours}`,
  deliveryStart: at(inHours),
  deliveryEnd: at(inHours + 1),
  ...change,
});
/** Nobody has traded or ordered. */
export const EMPTY = {
  bestBid: null,
  bestAsk: null,
  bestBidVolume: null,
  bestAskVolume: null,
  lastPrice: null,
  tradedQuantity: 0,
  workingOrders: 0,
};
