// The market of the end-to-end tests: Aurora and Borealis have credit and documents for each other, Cirrus has neither.

import { resolve } from "node:path";
import {
  connect,
  connected,
  type Generation,
  succeed,
  type TestClient,
  type Transport,
} from "../../support/clients.ts";
import { type EngineProcessOptions, type RunningEngineProcess, startEngineProcess } from "../../support/executable.ts";

export const MARKET_FILE = resolve(import.meta.dir, "../fixtures/market.json");
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

/** Starts an engine with this market. */
export async function startMarket(
  { args = [], ...options }: EngineProcessOptions = {},
): Promise<RunningEngineProcess> {
  return await startEngineProcess({ args: ["--market", MARKET_FILE, ...args], ...options });
}

/** An engine with this market, and clients of one kind, each with its own mkt that acts as `userId`. */
export interface Market extends RunningEngineProcess {
  /** Not yet connected to the market. */
  client(userId: string, env?: Record<string, string>): Promise<TestClient>;
  /** Connected to the market. */
  trader(userId: string, env?: Record<string, string>): Promise<TestClient>;
}

export async function openMarket(
  generation: Generation,
  transport: Transport,
  env: Record<string, string> = {},
): Promise<Market> {
  const engine = await startMarket({ env });
  const client = (userId: string, env: Record<string, string> = {}) =>
    connect(generation, transport, { ...engine.environmentFor(userId), ...env });
  const trader = (userId: string, env?: Record<string, string>) => connected(client(userId, env));
  return { ...engine, client, trader };
}
