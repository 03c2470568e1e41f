// What the tests of the dashboard share: an engine with a running simulation, the server with the dashboard, and a client over
// MCP that does and sees the same by another way.

import { join } from "node:path";
import type { MarketDefinition } from "../../../sim/definition/market-definition.ts";
import { connected, connectHttp, succeed, type TestClient } from "../../support/clients.ts";
import { type RunningHttpServer, startEngineProcess, startHttpServer } from "../../support/executable.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { until } from "../../support/until.ts";
import { SimulatorApi } from "../../sim/live/support.ts";

const RUN = { preset: "volatile", speed: 60, seed: 3 };

export interface DashboardWorld {
  readonly server: RunningHttpServer;
  /** Connected to the same server, without a browser. */
  readonly agent: TestClient;
  readonly marketId: string;
  readonly marketName: string;
  /** MKT_FREEZE_FILE. */
  readonly freezeFile: string;
  /** Of a server on the same market. */
  readonly env: Record<string, string>;
}

/** Without a definition, the built-in market. */
export async function openDashboard(definition: MarketDefinition | null = null): Promise<DashboardWorld> {
  const folder = temporaryDirectory();
  const args: string[] = [];
  if (definition !== null) {
    const file = join(folder, "market.json");
    await Bun.write(file, JSON.stringify(definition));
    args.push("--market", file);
  }
  const engine = await startEngineProcess({ args });
  const simulator = new SimulatorApi(engine.url);
  await simulator.start(RUN);
  const freezeFile = join(folder, "freeze");
  const env = { ...engine.environmentFor("operator"), MKT_FREEZE_FILE: freezeFile };
  const server = await startHttpServer(env);
  const agent = await connected(connectHttp("v2", server.url));
  await until(async () => (await simulator.status()).totals.trades > 0, "trades");
  const { id, name } = await succeed(agent, "mkt_get_market_state");
  return { server, agent, marketId: String(id), marketName: String(name), freezeFile, env };
}
