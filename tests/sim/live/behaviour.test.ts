// How personas behave when the market does not let them trade, and when they lose their connections.

import { describe, expect, test } from "bun:test";
import { type SimulationStatus, spotResponse } from "../../../protocol/index.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { WEEKDAYS } from "../../../engine/market/session-schedule.ts";
import { Simulator } from "../../../sim/live/simulator.ts";
import { CuttingProxy } from "../../support/cutting-proxy.ts";
import { LoadClient } from "../../support/load-client.ts";
import { accessTo, FEW, frontContracts, isSimulated, modulesOf, openOrders, simulated } from "./support.ts";
import { until } from "../../support/until.ts";
import { atEnd } from "../../support/at-end.ts";
import { startTestEngine } from "../../support/engines.ts";
import type { RunningEngine } from "../../../engine/server/start-engine.ts";

function halt(engine: RunningEngine, action: "market.halt" | "market.resume"): void {
  const { response } = engine.execute({ userId: "operator", operationId: crypto.randomUUID(), action, payload: {} });
  expect(response?.status).toBe("ok");
}

describe("personas", () => {
  test("pause while the market is halted, and continue when it resumes", async () => {
    const { engine, api } = await simulated();
    await api.start(FEW);
    await until(async () => (await api.status()).totals.orders > 20, "orders");
    halt(engine, "market.halt");
    await until(async () => (await api.status()).personas.every(({ state }) => state === "paused"), "a pause");
    const paused = await api.status();
    expect(paused).toMatchObject({ status: "running", failure: null, nothingToTrade: "no market is open" });
    const before = paused.totals.orders;
    // A persona that did not pause would send many orders in this time.
    await api.passed(paused, 120_000);
    expect((await api.status()).totals.orders - before).toBeLessThan(5);
    halt(engine, "market.resume");
    await until(async () => (await api.status()).totals.orders > before + 10, "orders after the halt");
    const { personas, nothingToTrade } = await api.status();
    expect([[...new Set(personas.map(({ state }) => state))], nothingToTrade]).toEqual([["trading"], null]);
  });

  test("wait while the market is closed by its schedule", async () => {
    const weekday = new Date(Date.now() + 3 * 86_400_000).getUTCDay();
    const days = [WEEKDAYS[(weekday + 6) % 7] ?? "mon"];
    const schedule = { days, preopen: "08:00", open: "09:00", close: "17:00" };
    const definition = builtInMarket();
    const markets = definition.markets.map((market) => ({ ...market, schedule }));
    const { api } = await simulated({ definition: { ...definition, markets } });
    await api.passed(await api.start(FEW), 180_000);
    const { totals, personas } = await api.status();
    expect(totals).toMatchObject({ orders: 0, rejected: 0 });
    expect(new Set(personas.map(({ state }) => state))).toEqual(new Set(["paused"]));
  });

  test("reconnect when their connections are cut, without a doubled or lost order", async () => {
    const engine = await startTestEngine();
    await using proxy = await CuttingProxy.to(engine.port);
    const simulator = new Simulator({
      engine: accessTo(proxy.url, engine),
      facts: () => engine.definition,
      isNewMarket: true,
    });
    atEnd(() => simulator.close());
    await simulator.start(FEW);
    for (const losesAnswers of [true, false]) {
      const { totals } = simulator.status();
      await until(() => simulator.status().totals.trades > totals.trades + 5, "trades");
      if (losesAnswers) {
        proxy.mute();
        await until(() => proxy.lostBytes > 10_000, "answers that are lost");
      }
      proxy.cut();
      await until(() => simulator.status().totals.connected === totals.personas, "everyone to be back");
    }
    const after = simulator.status().totals.orders;
    await until(() => simulator.status().totals.orders > after + 10, "orders after the last cut");
    await until(() => positionsByContract(simulator.status()).size > 3, "positions in several contracts");
    // All trades are between personas: a sum is never 0 again if a fill was lost or counted twice.
    const unequal = () => [...positionsByContract(simulator.status())].filter(([, sum]) => sum !== 0);
    await until(unequal, (contracts) => contracts.length === 0);
    expect(await simulator.stop()).toMatchObject({ status: "stopped", failure: null });
    expect((await openOrders(engine)).filter(isSimulated)).toEqual([]);
  });

  test("do not trade if nobody has available credit for them", async () => {
    const creditDefaults = { documentation: "docs_in_place" as const, limits: [] };
    const { api } = await simulated({ definition: { ...builtInMarket(), creditDefaults } });
    await api.passed(await api.start(FEW), 120_000);
    const { totals, status, failure } = await api.status();
    expect({ status, failure, ...totals }).toMatchObject({ status: "running", failure: null, orders: 0, trades: 0 });
  });

  test("make two-sided books in the contracts that are delivered next", async () => {
    const { engine, api } = await simulated();
    expect(frontContracts(engine.definition).length).toBe(16);
    await api.start({ preset: "calm", speed: 60, seed: 11 });
    await until(async () => {
      const twoSided = new Set(
        (await modulesOf(engine)).map(({ type, data }) =>
          type === "ENGINE" && data !== null && data.bids.length > 0 && data.asks.length > 0 && data.contractId
        ),
      );
      return frontContracts(engine.definition).filter((contract) => !twoSided.has(contract));
    }, (missing) => missing.length === 0);
  });
});

/** The spot prices that the engine publishes from now on. */
async function watchSpotPrices(engine: RunningEngine) {
  const seen: { node: string; price: number; regime: string; time: string }[] = [];
  const onFrame = (text: string) => {
    for (const message of [JSON.parse(text)].flat()) if (message.type === "change.spot") seen.push(message.data);
  };
  const watcher = await new LoadClient(engine.webSocketUrl, "viewer", { onFrame }).welcomed();
  atEnd(() => watcher.close());
  return seen;
}

describe("spot prices", () => {
  test("reach the engine as its own numbered events, of both nodes, with their regime", async () => {
    const { engine, api } = await simulated();
    const seen = await watchSpotPrices(engine);
    await api.start({ ...FEW, personas: [{ strategy: "zic", count: 1 }] });
    await until(() => seen.length >= 10, "spot prices");
    expect(new Set(seen.map(({ node }) => node))).toEqual(new Set(["NORTH", "WEST"]));
    const times = seen.filter(({ node }) => node === "NORTH").map(({ time }) => Date.parse(time));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const { nodes } = spotResponse.parse((await api.get("/api/sim/spot?hours=0")).body);
    expect(Date.parse(nodes[0]?.time ?? "")).toBeGreaterThanOrEqual(times.at(-1) ?? Infinity);
  });

  test("reach the engine at once after an operator's event, under the time of the present point", async () => {
    const { engine, api } = await simulated();
    const seen = await watchSpotPrices(engine);
    await api.start({ ...FEW, speed: 0.1 });
    await until(() => seen.length >= 2, "the first spot prices");
    const first = seen.find(({ node }) => node === "WEST");
    await api.post("/api/sim/events", { type: "fuel_shock", size: 2, durationHours: 6 });
    const { nodes } = spotResponse.parse((await api.get("/api/sim/spot?hours=0")).body);
    const west = nodes.find(({ node }) => node === "WEST");
    expect(west?.price).not.toBe(first?.price);
    await until(
      () => seen.some(({ node, price, time }) => node === "WEST" && price === west?.price && time === west.time),
      "the price after the event",
    );
  });
});

/** Sums over all personas, of each contract in which any has a position. */
function positionsByContract({ personas }: SimulationStatus): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { contractId, netPositionMw } of personas.flatMap(({ positions }) => positions)) {
    sums.set(contractId, (sums.get(contractId) ?? 0) + netPositionMw);
  }
  return sums;
}
