// Random streams by their names: who draws from which, that nobody shares one, and that no two are equal. A run with a shared
// stream looks as random as any other, so only their names can tell.

import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { startTimeOf } from "../../../sim/experiment/start-time.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { HeadlessRun } from "../../../sim/headless/headless-run.ts";
import type { OutsideMarket } from "../../../sim/headless/outside-trader.ts";
import { planRun } from "../../../sim/live/run-plan.ts";
import { Population } from "../../../sim/population/population.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { marketSpotPrices } from "../../../sim/spot/market-spot.ts";
import { constantSpot, START } from "../personas/support.ts";

const MARKET = builtInMarket();
const SEED = 7;
const { fork } = SeededRandom.prototype;
let restore = () => {};
afterEach(() => restore());

/** The streams that are made from now on, by their path of names: `/personas/zip-1/losses`. */
function recordStreams(): Map<string, SeededRandom[]> {
  const streams = new Map<string, SeededRandom[]>();
  const paths = new WeakMap<SeededRandom, string>();
  const spy = spyOn(SeededRandom.prototype, "fork").mockImplementation(function (this: SeededRandom, name: string) {
    const stream = fork.call(this, name);
    const path = `${paths.get(this) ?? ""}/${name}`;
    paths.set(stream, path);
    streams.set(path, [...streams.get(path) ?? [], stream]);
    return stream;
  });
  restore = () => spy.mockRestore();
  return streams;
}

/** The names of the streams of one persona, or of all that is below a name. */
function under(streams: ReadonlyMap<string, unknown>, name: string): string[] {
  return [...streams.keys()].filter((path) => path.startsWith(`${name}/`)).map((path) => path.slice(name.length + 1))
    .sort();
}

const firstWords = (stream: SeededRandom) =>
  [1, 2, 3].map(() => fork.call(stream, "copy").word()).concat(stream.word());

/** The first numbers of each stream of a persona that `make` makes. */
function wordsOfPersonas(make: () => void): Map<string, string> {
  const streams = recordStreams();
  make();
  restore();
  return new Map(
    [...streams].filter(([path]) => path.startsWith("/personas"))
      .map(([path, [stream]]) => [path, JSON.stringify(firstWords(stream!))]),
  );
}

describe("the streams of a population", () => {
  test.each([
    ["avellaneda-stoikov", ["asset", "forecasts", "losses", "maker", "sizes"]],
    ["zip", ["asset", "forecasts", "losses", "mandate"]],
    ["arbitrageur", ["asset", "forecasts", "losses", "mandate"]],
    ["momentum", ["asset", "forecasts", "losses", "mandate"]],
    ["generator", ["asset", "forecasts", "losses", "mandate"]],
    ["retailer", ["asset", "forecasts", "losses", "mandate"]],
  ])("are one for each thing that a persona draws: %s", (strategy, expected) => {
    const streams = recordStreams();
    const settings = { ...presetExperiment("calm"), personas: [{ strategy, count: 2 }] };
    const spot = constantSpot(() => 4_000);
    streams.clear();
    new Population({ market: MARKET, settings, seed: SEED, spot, startTime: START });
    for (const number of [1, 2]) expect(under(streams, `/personas/${strategy}-${number}`)).toEqual(expected);
    expect([...streams.values()].filter((made) => made.length !== 1)).toEqual([]);
  });

  test("differ from each other, and are those of one persona whoever else is there", () => {
    const wordsOf = (personas: { strategy: string; count: number }[], seed = SEED) =>
      wordsOfPersonas(() =>
        void new Population({
          market: MARKET,
          settings: { ...presetExperiment("calm"), personas },
          seed,
          spot: constantSpot(() => 4_000),
          startTime: START,
        })
      );
    const few = wordsOf([{ strategy: "zip", count: 2 }]);
    const more = wordsOf([{ strategy: "aa", count: 3 }, { strategy: "zip", count: 3 }]);
    expect(new Set(more.values()).size).toBe(more.size);
    expect(few.size).toBe(2 * 5 + 1);
    expect([...few].filter(([path, words]) => more.get(path) !== words)).toEqual([]);
    const other = wordsOf([{ strategy: "zip", count: 2 }], SEED + 1);
    expect([...few].filter(([path, words]) => other.get(path) === words)).toEqual([]);
    const live = wordsOfPersonas(() => {
      const settings = { preset: "calm" as const, personas: [{ strategy: "zip", count: 2 }], seed: SEED, speed: null };
      planRun(settings, MARKET, "run-", { time: () => START, setting: null });
    });
    expect(live).toEqual(few);
  });
});

/** A run of a few hours, with what outside traders are made with. */
function run(steps: number) {
  const startTime = startTimeOf(MARKET);
  let outside: OutsideMarket | null = null;
  const made = new HeadlessRun({
    definition: MARKET,
    startTime,
    seed: SEED,
    experiment: presetExperiment("thin"),
    spot: marketSpotPrices(MARKET, SEED, startTime),
    outside: (market) => {
      outside = market;
      return [];
    },
  });
  made.advance(steps);
  return { run: made, outside: outside! as OutsideMarket };
}

test("no stream of a run is made twice, and no two begin with the same numbers", () => {
  const streams = recordStreams();
  run(500);
  expect([...streams].filter(([, made]) => made.length !== 1).map(([path]) => path)).toEqual([]);
  const ofTraders = [...streams.keys()].filter((path) => / [01]$/.test(path));
  expect(ofTraders.length).toBeGreaterThan(20);
  // A trader of one side has a stream for each of both.
  expect(ofTraders.filter((path) => path.endsWith(" 1")).length).toBeGreaterThan(5);
  const words = [...streams.values()].map(([stream]) =>
    JSON.stringify([1, 2, 3].map((name) => fork.call(stream!, `${name}`).word()))
  );
  expect(new Set(words).size).toBe(words.length);
  expect(["/hours", "/steps", "/news", "/personas"].filter((path) => !streams.has(path))).toEqual([]);
});

test("each agent has forecasts of its own, the same whoever else asks, and none of a persona's", () => {
  const streams = recordStreams();
  const { run: made, outside } = run(1);
  const [contract] = made.tradedNow;
  const valueOf = (id: string) => outside.forecaster(id).of(contract!);
  const values = ["agent-1", "agent-2", "agent-3"].map(valueOf);
  expect(new Set([...values, ...made.personas.map((persona) => persona.forecast(contract!, made.time))]).size)
    .toBe(3 + made.personas.length);
  expect(under(streams, "/outside")).toEqual(["agent-1", "agent-2", "agent-3"]);
  expect(["agent-3", "agent-1"].map(valueOf)).toEqual([values[2]!, values[0]!]);
});

// Winnipeg has the clocks of Chicago, so only other numbers make other prices.
test("two grids draw their prices apart, also from the same seed", () => {
  const markets = MARKET.markets.flatMap((market) => [
    { ...market, nodes: ["NORTH"] },
    { ...market, id: "B", nodes: ["WEST"], timezone: "America/Winnipeg" },
  ]);
  const spot = marketSpotPrices({ ...MARKET, markets }, SEED, START);
  spot.advanceTo(START + 24 * 3_600_000);
  const pricesAt = (wanted: string) =>
    spot.history(24).flatMap(({ node, priceCents }) => node === wanted ? [priceCents] : []);
  const alone = marketSpotPrices({ ...MARKET, markets: markets.slice(0, 1) }, SEED, START);
  alone.advanceTo(START + 24 * 3_600_000);
  expect(pricesAt("NORTH").length).toBeGreaterThan(20);
  expect(pricesAt("NORTH").filter((price, at) => price === pricesAt("WEST")[at])).toEqual([]);
  expect(alone.history(24).filter(({ node }) => node === "NORTH").map(({ priceCents }) => priceCents)).toEqual(
    pricesAt("NORTH"),
  );
});
