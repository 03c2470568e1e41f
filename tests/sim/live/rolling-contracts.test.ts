import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { embedTestSimulator, isSimulated, openOrders, simulated, SimulatorApi } from "./support.ts";
import { atEnd } from "../../support/at-end.ts";
import { LoadClient } from "../../support/load-client.ts";
import { until } from "../../support/until.ts";
import { startTestEngine } from "../../support/engines.ts";

const HOUR = 3_600_000;

describe("a simulation in a market with rolling contracts", () => {
  test("trades contracts that are listed while it runs, and none in delivery", async () => {
    let offset = Date.parse("2026-05-05T15:00:00Z") - Date.now();
    const now = () => Date.now() + offset;
    const engine = await startTestEngine({ now });
    embedTestSimulator(engine, now);
    const api = new SimulatorApi(engine.url);
    const ordered = new Set<string>();
    const onFrame = (text: string) => {
      for (const { type, data } of [JSON.parse(text)].flat()) if (type === "new.order") ordered.add(data.contractId);
    };
    const watcher = await new LoadClient(engine.webSocketUrl, "operator", { onFrame }).welcomed();
    atEnd(() => watcher.close());
    await api.start({ preset: "calm", speed: 1, seed: 3 });
    await until(() => ordered.has("NORTH-DA-BASE-2026-05-06"), "orders in tomorrow's base");
    expect((await api.status()).nothingToTrade).toBeNull();
    offset += 24 * HOUR;
    await until(() => ordered.has("NORTH-DA-BASE-2026-05-07"), "orders in the new tomorrow's base");
    const open = (await openOrders(engine)).filter(isSimulated).map(({ contractId }) => contractId);
    expect(open).not.toContain("NORTH-DA-BASE-2026-05-06");
    expect((await api.status()).failure).toBeNull();
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
    const isSaid = async () => (await api.status()).nothingToTrade?.startsWith("no contract is listed") === true;
    await until(isSaid, "it to say so");
    expect((await api.status()).status).toBe("running");
  });
});
