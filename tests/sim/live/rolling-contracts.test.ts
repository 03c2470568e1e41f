// The simulation in a market with rolling contracts: it trades new contracts, stops trading those in delivery, and reports if
// there is nothing to trade.

import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { type RunningEngine } from "../../../engine/server/start-engine.ts";
import { embedTestSimulator, isSimulated, openOrders, simulated, SimulatorApi } from "./support.ts";
import { until } from "../../support/until.ts";
import { startTestEngine } from "../../support/engines.ts";

const HOUR = 3_600_000;

/** An engine and its simulator on one clock that the test can move. */
async function startOnClock(
  start: string,
): Promise<{ engine: RunningEngine; move: (milliseconds: number) => void }> {
  let offset = Date.parse(start) - Date.now();
  const now = () => Date.now() + offset;
  const engine = await startTestEngine({ now });
  embedTestSimulator(engine, now);
  return { engine, move: (milliseconds) => void (offset += milliseconds) };
}

describe("a simulation in a market with rolling contracts", () => {
  test("trades contracts that are listed while it runs, and none in delivery", async () => {
    const { engine, move } = await startOnClock("2026-05-05T15:00:00Z");
    const api = new SimulatorApi(engine.url);
    await api.start({ preset: "calm", speed: 1, seed: 3 });
    const contractsOf = async () =>
      new Set((await openOrders(engine)).filter(isSimulated).map(({ contractId }) => contractId));
    await until(async () => (await contractsOf()).has("NORTH-DA-BASE-2026-05-06"), "orders in tomorrow's base");
    expect((await api.status()).nothingToTrade).toBeNull();
    move(24 * HOUR);
    await until(async () => (await contractsOf()).has("NORTH-DA-BASE-2026-05-07"), "orders in the new tomorrow's base");
    expect((await contractsOf()).has("NORTH-DA-BASE-2026-05-06")).toBe(false);
    expect((await api.status()).failure).toBeNull();
  }, 60_000);

  test("reports that no market is open while it is halted", async () => {
    const { engine, api } = await simulated();
    await api.start({ preset: "thin", speed: 10, seed: 3 });
    engine.execute({ userId: "operator", operationId: "halt", action: "market.halt", payload: {} });
    await until(async () => (await api.status()).nothingToTrade === "no market is open", "the status to say it");
    engine.execute({ userId: "operator", operationId: "resume", action: "market.resume", payload: {} });
    await until(async () => (await api.status()).nothingToTrade === null, "the status to take it back");
  });

  test("reports that no contract is listed once the last one is in delivery", async () => {
    const start = Date.now();
    const definition = builtInMarket();
    const { api } = await simulated({
      definition: {
        ...definition,
        products: definition.products.map(({ listing: _, ...product }) => product),
        contracts: [{
          id: "LAST",
          productId: "NORTH-DA-BASE",
          code: "LAST",
          name: "The last one",
          deliveryStart: new Date(start + 2_000).toISOString(),
          deliveryEnd: new Date(start + 24 * HOUR).toISOString(),
          hours: 1,
        }],
      },
    });
    await api.start({ preset: "thin", speed: 1, seed: 3 });
    await until(
      async () => (await api.status()).nothingToTrade?.startsWith("no contract is listed") === true,
      "it to say so",
    );
    expect((await api.status()).status).toBe("running");
  });
});
