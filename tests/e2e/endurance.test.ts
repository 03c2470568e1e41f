// `mkt demo` at speed 10, with all four presets at once for ten minutes, in test:long only: no errors, bounded memory, and
// books as the presets describe them. Every run starts demos in simulator.test.ts, and compares the presets in simulated time.
//
// The books begin empty, so every order in them is a persona's.

import { describe, expect, test } from "bun:test";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import { SIMULATION_PRESETS, type SimulationPreset } from "../../protocol/index.ts";
import { builtInMarket } from "../../engine/definition/built-in-market.ts";
import { frontContracts, modulesOf, SimulatorApi } from "../sim/live/support.ts";
import { type RunningMkt, startMkt } from "../support/executable.ts";
import { memoryMb } from "../support/processes.ts";
import { LONG } from "../support/sizes.ts";
import { until } from "../support/until.ts";

const SPEED = 10;
const DURATION_MS = 600_000;
const WARM_UP_MS = 120_000;
const LOOK_MS = 10_000;
/** For an engine, an MCP server, a simulator and their clients in one process, with full histories. */
const MAX_MEMORY_MB = 400;
/** From the warm-up to the end, while closed orders, events and the audit trail fill up to their limits. */
const MAX_GROWTH_MB = 100;

interface Look {
  readonly atMs: number;
  readonly memoryMb: number;
  /** Spread of each front contract in percent of the mid price; null if the book has no two sides. */
  readonly spreads: readonly (number | null)[];
}

interface Demo {
  readonly preset: SimulationPreset;
  readonly process: RunningMkt;
  readonly api: SimulatorApi;
  readonly looks: Look[];
}

async function startDemo(preset: SimulationPreset): Promise<Demo> {
  const process = startMkt(["demo", "--port", "0", "--engine-port", "0", "--no-sim"]);
  const [, url] = await process.untilStderr(/engine +(http:[^,]+),/);
  const api = new SimulatorApi(url ?? "");
  await api.start({ preset, speed: SPEED, seed: 3 });
  return { preset, process, api, looks: [] };
}

/** Samples a demo until the time is over */
async function watch({ process, api, looks }: Demo): Promise<void> {
  const started = performance.now();
  const elapsedMs = () => performance.now() - started;
  const webSocketUrl = `${api.url.replace("http", "ws")}/ws`;
  while (elapsedMs() < DURATION_MS) {
    const next = elapsedMs() + LOOK_MS;
    await until(() => elapsedMs() >= next, "the next look");
    const front = frontContracts(builtInMarket());
    const books = (await modulesOf({ webSocketUrl })).flatMap(({ type, data }) =>
      type === "ENGINE" && data !== null && front.includes(data.contractId) ? [data] : []
    );
    looks.push({ atMs: elapsedMs(), memoryMb: await memoryMb(process.pid), spreads: books.map(spreadOf) });
  }
}

function hasTwoSidedBooks(look: Look): boolean {
  return look.spreads.every((spread) => spread !== null);
}

function spreadOf({ bestBid, bestAsk }: ModuleData<"ENGINE">): number | null {
  return bestBid === null || bestAsk === null ? null : 200 * (bestAsk - bestBid) / Math.abs(bestAsk + bestBid);
}

function checkHealth({ preset, process, looks }: Demo): void {
  expect({ preset, stderr: process.stderr() }).not.toMatchObject({
    stderr: expect.stringMatching(/"level":"(ERROR|FATAL)"/),
  });
  const memory = looks.map(({ memoryMb }) => memoryMb);
  const warm = looks.find(({ atMs }) => atMs >= WARM_UP_MS)?.memoryMb ?? Infinity;
  expect(Math.max(...memory)).toBeLessThan(MAX_MEMORY_MB);
  expect((memory.at(-1) ?? Infinity) - warm).toBeLessThan(MAX_GROWTH_MB);
  const [first, last] = [memory[0], memory.at(-1)];
  console.log(`${preset}: ${first?.toFixed(0)} MB, ${warm.toFixed(0)} warm, ${last?.toFixed(0)} at the end`);
}

/** Over the second half of the samples and all front contracts with two sides. */
function medianSpread({ looks }: Demo): number {
  const late = looks.slice(-Math.ceil(looks.length / 2));
  const spreads = late.flatMap((look) => look.spreads.filter((one) => one !== null));
  return spreads.sort((a, b) => a - b)[Math.floor(spreads.length / 2)] ?? NaN;
}

describe.skipIf(!LONG)("mkt demo without intervention", () => {
  test(
    "runs without errors in bounded memory; calm has two-sided books, stress wider spreads",
    async () => {
      const demos = await Promise.all(SIMULATION_PRESETS.map(startDemo));
      await Promise.all(demos.map(watch));
      for (const demo of demos) {
        const { status, failure, totals } = await demo.api.status();
        expect({ status, failure, connected: totals.connected }).toEqual({
          status: "running",
          failure: null,
          connected: totals.personas,
        });
        expect(totals.orders).toBeGreaterThan(0);
        checkHealth(demo);
      }
      const named = (preset: SimulationPreset) => demos.find((one) => one.preset === preset) ?? expect.unreachable();
      const [calm, stress] = [named("calm"), named("stress")];
      const warm = calm.looks.filter(({ atMs }) => atMs >= WARM_UP_MS);
      const twoSidedShare = warm.filter(hasTwoSidedBooks).length / warm.length;
      console.log(`calm: two sides in all front contracts in ${(100 * twoSidedShare).toFixed(0)} % of looks`);
      console.log(
        `median spread: calm ${medianSpread(calm).toFixed(2)} %, stress ${medianSpread(stress).toFixed(2)} %`,
      );
      expect(twoSidedShare).toBeGreaterThan(0.95);
      expect(medianSpread(stress)).toBeGreaterThan(2 * medianSpread(calm));
      for (const { process, api } of demos) {
        expect((await api.stop()).totals).toMatchObject({ connected: 0, workingOrders: 0 });
        expect(await process.stop()).toBe(0);
        expect(process.stderr()).not.toMatch(/"level":"(ERROR|FATAL)"/);
      }
    },
  );
});
