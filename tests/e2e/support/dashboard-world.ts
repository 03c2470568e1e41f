// What the tests of the dashboard share: an engine with a running simulation, the server with the dashboard, and a client over
// MCP that does and sees the same by another way.

import { join } from "node:path";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { DAY_MS } from "../../../protocol/time-units.ts";
import { httpServerHere } from "../../support/in-process.ts";
import { connected, succeed } from "../../support/official-client.ts";
import { startPowerMarket } from "../../support/power-market.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { until } from "../../support/until.ts";
import { SimulatorApi } from "../../sim/live/support.ts";

/** Of market time, once there were trades. */
const SLOW = 2;
/** cents/MWh */
const PRICE = 4_000;
const RUN = { preset: "thin", speed: 60, seed: 4 };

export async function openDashboard(definition = builtInMarket()) {
  const engine = await startPowerMarket({ definition }, { isSimulated: true });
  const simulator = new SimulatorApi(engine.url);
  await simulator.start(RUN);
  const freezeFile = join(temporaryDirectory(), "freeze");
  const env = { ...engine.environmentFor("operator"), MKT_FREEZE_FILE: freezeFile };
  const server = await httpServerHere(env);
  const agent = await connected(server.client());
  await until(async () => (await simulator.status()).totals.trades > 0, "trades");
  // The market goes on slowly: engine, personas and server share this process, which others may keep from running.
  engine.execute({ userId: "operator", operationId: "slower", action: "clock.set", payload: { speed: SLOW } });
  const { id, name } = await succeed(agent, "mkt_get_market_state");
  // None whose delivery may begin during the tests, which take some minutes of an hour each, and none that nobody quotes.
  const later = new Date(Date.now() + DAY_MS / 3).toISOString();
  const above = (value: number | string) => ({ value, operator: "gt" });
  const filters = { hours: above(20), deliveryStart: above(later), bestBid: above(0), bestAsk: above(0) };
  const mostTraded = { moduleType: "CONTRACT", filters, sort: "-volume", limit: 1 };
  const [contractId = ""] = await until(
    async () => (await succeed(agent, "mkt_find_modules", mostTraded))["ids"] as string[],
    (ids) => ids.length > 0,
  );
  const bid = { contractId, side: "BUY", price: 1, quantity: 1 };
  const [fill] = (await succeed(agent, "mkt_list_fills", { limit: 1 }))["fills"] as { orderId: string }[];
  return {
    server,
    /** Connected to the same server, without a browser. */
    agent,
    marketId: String(id),
    marketName: String(name),
    /** Makes events: an order that nobody takes comes and goes. */
    stir: async (): Promise<void> => {
      const { orderId } = await succeed(agent, "mkt_create_test_order", bid);
      await succeed(agent, "mkt_cancel_order", { orderId });
    },
    /** Bids for 1 MW of the contract at what is offered, so that its book changes, and its figures if it trades. */
    buy: async (): Promise<void> => {
      const { asks } = await succeed(agent, "mkt_get_order_book", { contractId }) as { asks: { price: number }[] };
      await succeed(agent, "mkt_create_test_order", { ...bid, price: asks[0]?.price ?? PRICE });
    },
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
