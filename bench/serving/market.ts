// The market that the measured servers are connected to: an engine as a process of its own, with the built-in market.
//
//   bun bench/serving/market.ts
//
// Its clock begins at a fixed time, five minutes after a full hour, so no delivery begins and no session changes during a run:
// the market is quiet unless somebody sends orders.

import { logger } from "../../common/logger.ts";
import { builtInMarket } from "../../engine/definition/built-in-market.ts";
import { startEngine } from "../../engine/server/start-engine.ts";
import { MARKET_BEGINS } from "./orders.ts";

const offset = MARKET_BEGINS - Date.now();
const { url } = await startEngine({
  definition: builtInMarket(),
  secret: null,
  token: null,
  hostname: "127.0.0.1",
  port: 0,
  log: logger("bench"),
  now: () => Date.now() + offset,
});
console.error(JSON.stringify({ transport: url }));
