// The market of most tests with clients: Aurora and Borealis have credit and documents for each other, Cirrus has neither. Here
// engine and mkt run in this process; e2e/support/market.ts starts the executable with the same market.

import { resolve } from "node:path";
import { logger } from "../../common/logger.ts";
import { loadDefinition } from "../../engine/definition/load-definition.ts";
import type { RunningEngine, StartEngineOptions } from "../../engine/server/start-engine.ts";
import { embedSimulator } from "../../sim/live/embedded-simulator.ts";
import { atEnd } from "./at-end.ts";
import { startTestEngine } from "./engines.ts";
import { clientHere, type ClientOptions } from "./in-process.ts";
import { connected, succeed, type TestClient } from "./official-client.ts";

/** As long as may be set: on a busy machine an answer may take longer than the usual 15 s. */
export const PATIENT_CONFIRM_TIMEOUT_MS = "240000";
export const MARKET_FILE = resolve(import.meta.dir, "../e2e/fixtures/market.json");
export const NORTH = "north-base-2099";
export const WEST = "west-peak-2099";

/** The result of an order that must succeed. */
export function submit(
  client: TestClient,
  side: "BUY" | "SELL",
  price: number,
  quantity: number,
  contractId = NORTH,
): Promise<Record<string, unknown>> {
  return succeed(client, "mkt_create_test_order", { contractId, side, price, quantity });
}

/** An engine with this market, and clients that each have an mkt of their own, which acts as `userId`. */
export interface PowerMarket extends RunningEngine {
  /** Of an mkt that has this engine as its backend. */
  environmentFor(userId: string): Record<string, string>;
  /** Not yet connected to the market. */
  client(userId: string, env?: Record<string, string>, options?: ClientOptions): Promise<TestClient>;
  /** Connected to the market. */
  trader(userId: string, env?: Record<string, string>, options?: ClientOptions): Promise<TestClient>;
}

/** With a simulator if `isSimulated`; it stands still at first. */
export async function startPowerMarket(
  options: Partial<StartEngineOptions> = {},
  { isSimulated = false } = {},
): Promise<PowerMarket> {
  const loaded = loadDefinition(MARKET_FILE);
  if (!loaded.ok) throw new Error(loaded.faults.join("\n"));
  return await startMarketHere({ definition: loaded.definition, ...options }, isSimulated);
}

/** The built-in market with a simulator, which stands still at first. */
export function startSimulatedMarket(options: Partial<StartEngineOptions> = {}): Promise<PowerMarket> {
  return startMarketHere(options, true);
}

async function startMarketHere(options: Partial<StartEngineOptions>, isSimulated: boolean): Promise<PowerMarket> {
  const engine = await startTestEngine(options);
  if (isSimulated) {
    const simulator = embedSimulator({ engine, log: logger("simulator"), now: options.now ?? Date.now });
    atEnd(() => simulator.close());
  }
  const environmentFor = (userId: string) => ({
    MKT_HOST: `127.0.0.1:${engine.port}`,
    MKT_BASE_URL: engine.url,
    MKT_USER_ID: userId,
    MKT_AUDIT_STORE: "backend",
    MKT_CONFIRM_TIMEOUT_MS: PATIENT_CONFIRM_TIMEOUT_MS,
  });
  const client: PowerMarket["client"] = (userId, env = {}, options = {}) =>
    clientHere({ ...environmentFor(userId), ...env }, options);
  return { ...engine, environmentFor, client, trader: (...given) => connected(client(...given)) };
}
