// What the probes use of what mkt offers. The market is tests/e2e/fixtures/market.json.

import { NORTH, WEST } from "../support/market.ts";

const bookOf = (contractId: string) => `mkt://order-book/${contractId}`;

export const MARKET = "mkt://market";
export const DOCUMENT = "mkt://protocol";
export const BOOK = bookOf(NORTH);
export const OTHER_BOOK = bookOf(WEST);

export const TEMPLATE = {
  uri: bookOf("{contractId}"),
  parameter: "contractId",
  typed: "nor",
  value: NORTH,
} as const;

export const PROMPT = {
  name: "mkt_morning_check",
  argument: "marketId",
  typed: "po",
  value: "power",
} as const;

/** Of pack/logging.ts. */
export const LOGGING_TOOL = "acme_log";
export const LOGGED = "logged by acme_log";
