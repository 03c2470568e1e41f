import { describe, expect, test } from "bun:test";
import { builtInMarketNamed } from "../../../engine/definition/built-in-markets.ts";
import { EmbeddedEngine } from "../../../engine/embedded/embedded-engine.ts";
import { EngineVenue } from "../../../engine/embedded/engine-venue.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { startTimeOf } from "../../../sim/experiment/start-time.ts";
import { HeadlessRun } from "../../../sim/headless/headless-run.ts";
import { marketSpotPrices } from "../../../sim/spot/market-spot.ts";
import { size } from "../../support/sizes.ts";
import { seldomRevised } from "../../sim/headless/support.ts";

const HOUR = 3_600_000;
const HOURS = size(0.5, 12);

const onEngine = { volatile: runOn("volatile", true), credit: runOn("credit", true) };

function runOn(preset: "volatile" | "credit", isWhole: boolean) {
  const experiment = seldomRevised(presetExperiment(preset), HOUR);
  const definition = builtInMarketNamed(experiment.market)!;
  const startTime = startTimeOf(definition);
  const engine = new EmbeddedEngine({ definition, engineId: "whole", startTime, secret: null });
  const venue = new EngineVenue(engine, "p-");
  const spot = marketSpotPrices(definition, 7, startTime);
  const run = new HeadlessRun({ definition, startTime, seed: 7, experiment, spot, ...(isWhole && { venue }) });
  while (!run.advanceTo(startTime + HOURS * HOUR, 10_000));
  return { run, engine };
}

describe("a run on a whole engine", () => {
  test.each(["volatile", "credit"] as const)("is that on the exchange, under %s", (preset) => {
    const [{ run: whole, engine }, { run: plain }] = [onEngine[preset], runOn(preset, false)];
    const stateOf = (run: HeadlessRun) => ({
      messages: run.messages,
      openOrders: run.openOrders,
      steps: run.steps,
      books: run.contracts.map((contract) => run.book(contract)),
      accounts: run.personas.map(({ account, counts }) => ({ cash: account.cash, volume: account.volume, ...counts })),
      trades: run.metrics.trades,
    });
    expect(stateOf(whole)).toEqual(stateOf(plain));
    expect(whole.metrics.trades).toBeGreaterThan(20);
    expect(engine.engine.figures.trades).toBe(whole.metrics.trades);
    expect(engine.now).toBe(whole.time);
  });

  test("keeps what personas do as the engine keeps it: positions, and an audit trail", () => {
    const { run, engine } = onEngine.volatile;
    const bought = new Map<string, number>();
    for (const { entityId, account } of run.personas) {
      for (const { contract, position } of account.holdings) {
        const key = `${entityId} ${contract.id}`;
        bought.set(key, (bought.get(key) ?? 0) + position / 1_000);
      }
    }
    const positions = [...new Set(run.personas.map(({ entityId }) => entityId))].flatMap((entityId) =>
      engine.positions(entityId)!.positions.map(({ contractId, netQuantity }) =>
        [`${entityId} ${contractId}`, netQuantity] as const
      )
    );
    const held = (pairs: Iterable<readonly [string, number]>) => new Map([...pairs].filter(([, net]) => net !== 0));
    expect(held(positions)).toEqual(held(bought));
    expect(engine.engine.figures.auditEvents).toBeGreaterThan(run.metrics.trades);
  });
});
