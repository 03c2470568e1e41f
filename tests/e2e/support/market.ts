// The compiled executable with the market of the tests (support/power-market.ts).

import { connect, connected, type Generation, type TestClient, type Transport } from "../../support/clients.ts";
import { MARKET_FILE, NORTH, submit, WEST } from "../../support/power-market.ts";
import { type EngineProcessOptions, type RunningEngineProcess, startEngineProcess } from "../../support/executable.ts";

export { MARKET_FILE, NORTH, submit, WEST };

/** Starts an engine with this market. */
export async function startMarket(
  { args = [], ...options }: EngineProcessOptions = {},
): Promise<RunningEngineProcess> {
  return await startEngineProcess({ args: ["--market", MARKET_FILE, ...args], ...options });
}

/** An engine with this market, and clients of one kind, each with its own mkt that acts as `userId`. */
interface Market extends RunningEngineProcess {
  /** Not yet connected to the market. */
  client(userId: string, env?: Record<string, string>): Promise<TestClient>;
  /** Connected to the market. */
  trader(userId: string, env?: Record<string, string>): Promise<TestClient>;
}

async function openMarket(
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
