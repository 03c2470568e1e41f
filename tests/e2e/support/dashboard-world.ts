// What the tests of the dashboard share: an engine with a running simulation, the server with the dashboard, and a client over
// MCP that does and sees the same by another way.

import { join } from "node:path";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import { connected, connectHttp, succeed } from "../../support/clients.ts";
import { startEngineProcess, startHttpServer } from "../../support/executable.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { until } from "../../support/until.ts";
import { SimulatorApi } from "../../sim/live/support.ts";

const RUN = { preset: "thin", speed: 240, seed: 3 };

/** Without a definition, the built-in market. */
export async function openDashboard(definition: MarketDefinition | null = null) {
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
  // Not the one of an hour, whose delivery may begin during the tests.
  const filters = { hours: { value: 20, operator: "gt" } };
  const listed = await succeed(agent, "mkt_find_modules", {
    moduleType: "CONTRACT",
    filters,
    sort: "-volume",
    limit: 1,
  });
  const [contractId = ""] = listed["ids"] as string[];
  const [fill] = (await succeed(agent, "mkt_list_fills", { limit: 1 }))["fills"] as { orderId: string }[];
  return {
    server,
    /** Connected to the same server, without a browser. */
    agent,
    marketId: String(id),
    marketName: String(name),
    /** The contract with the most trades. */
    contractId,
    /** An order that has traded. */
    orderId: fill!.orderId,
    /** MKT_FREEZE_FILE. */
    freezeFile,
    /** Of a server on the same market. */
    env,
  };
}
