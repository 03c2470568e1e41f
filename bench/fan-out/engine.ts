// The measured engine: the built-in market, or that of a file, with a data directory, as `mkt engine --data` serves it, without
// limits on rates and numbers of orders.
//
//   bun bench/fan-out/engine.ts DIRECTORY [FILE]

import { logger } from "../../common/logger.ts";
import { builtInMarket } from "../../engine/definition/built-in-market.ts";
import { loadDefinition } from "../../engine/definition/load-definition.ts";
import { DEFAULT_ENGINE_LIMITS } from "../../common/http/guards/engine-limits.ts";
import { startEngine } from "../../engine/server/start-engine.ts";
import { addressLine } from "./bare-plan.ts";

const [directory, file] = process.argv.slice(2);
if (directory === undefined) throw new Error("usage: bun bench/fan-out/engine.ts DIRECTORY [FILE]");
const market = file === undefined ? null : loadDefinition(file);
if (market?.ok === false) throw new Error(market.faults.join("\n"));
const { webSocketUrl } = await startEngine({
  definition: market?.definition ?? builtInMarket(),
  data: directory,
  secret: null,
  token: null,
  hostname: "127.0.0.1",
  port: 0,
  log: logger("bench"),
  now: Date.now,
  limits: {
    ...DEFAULT_ENGINE_LIMITS,
    requestsPerSecond: 1e7,
    bytesPerSecond: 2 ** 32,
    openOrdersPerUser: 1e7,
    openOrdersPerBook: 1e7,
  },
});
process.stderr.write(addressLine(webSocketUrl.replace("ws:", "http:")));
