// The experiment that a command line means: flags over file over preset, and the faults of all of them together.

import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { experimentFaults } from "../../../sim/experiment/check-experiment.ts";
import { experimentText } from "../../../sim/experiment/experiment-text.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { type ExperimentFlags, resolveExperiment } from "../../../sim/experiment/resolve-experiment.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { smallMarket } from "../../engine/support/market.ts";

const directory = temporaryDirectory();
mkdirSync(join(directory, "markets"));
const path = (name: string) => join(directory, name);
await Bun.write(path("markets/small.json"), JSON.stringify(smallMarket()));

async function file(name: string, content: object): Promise<string> {
  await Bun.write(path(name), JSON.stringify(content));
  return path(name);
}

function resolved(flags: ExperimentFlags) {
  const result = resolveExperiment(flags);
  if (!result.ok) throw new Error(result.faults.join("\n"));
  return result.experiment;
}

function faultsOf(flags: ExperimentFlags): readonly string[] {
  const result = resolveExperiment(flags);
  return result.ok ? [] : result.faults;
}

describe("a command line", () => {
  test("without flags is the preset calm, with seed, length and start chosen", () => {
    const chosen = { start: "2026-03-02T06:00:00.000Z", seed: 1, steps: 100_000 };
    expect(resolved({})).toEqual({ ...presetExperiment("calm"), ...chosen });
  });

  test("wins over the file, and the name tells what differs", async () => {
    const trading = { halfSpread: 0.2 };
    const own = { name: "mine", steps: 500, seed: 3 };
    const start = "2026-05-01T00:00:00Z";
    const experiment = await file("mine.json", { ...own, start, preset: "thin", trading });
    const { personas } = presetExperiment("thin");
    expect(resolved({ experiment })).toMatchObject({
      ...own,
      hours: null,
      start: "2026-05-01T00:00:00.000Z",
      personas,
    });
    const flags = { preset: "stress", hours: 2, seed: 4, start: "2026-07-01T00:00:00-05:00", events: "none" } as const;
    const stress = presetExperiment("stress");
    expect(resolved({ experiment, ...flags })).toMatchObject({
      name: "mine, with other preset, start, events",
      seed: 4,
      steps: null,
      hours: 2,
      start: "2026-07-01T05:00:00.000Z",
      personas: stress.personas,
      trading: { ...stress.trading, ...trading },
      events: [],
    });
  });

  test("replaces the seeds of a file by a seed and the other way round, and hours by steps", async () => {
    const study = await file("study.json", { name: "study", seeds: "5..7", hours: 2 });
    const single = await file("single.json", { name: "single", seed: 9, steps: 20 });
    expect(resolved({ experiment: study })).toMatchObject({ seed: 5, seeds: "5..7", hours: 2, steps: null });
    expect(resolved({ experiment: study, seed: 3, steps: 4 })).toMatchObject({
      ...{ seed: 3, seeds: null },
      ...{ hours: null, steps: 4 },
    });
    expect(resolved({ experiment: single, seeds: "6,8", hours: 4 })).toMatchObject({
      ...{ seed: 6, seeds: "6,8" },
      ...{ hours: 4, steps: null },
    });
    expect(faultsOf({ seed: 1, seeds: "1..2" })).toEqual(["--seed and --seeds: give one of them"]);
  });

  test("takes a market from the current folder, with its whole path, and the name tells of it", () => {
    const market = relative(process.cwd(), path("markets/small.json"));
    expect(resolved({ market })).toMatchObject({ market: path("markets/small.json"), name: "calm, with other market" });
  });

  test("finds a market beside the file of the experiment, and one of the command line in the current folder", async () => {
    const experiment = await file("beside.json", { name: "beside", market: "markets/small.json" });
    const found = { market: path("markets/small.json"), start: "2026-01-19T17:00:00.000Z" };
    expect(resolved({ experiment })).toMatchObject(found);
    expect(resolved({ experiment, market: "builtin" }).market).toBe("builtin");
  });

  test("printed as an experiment means the same again", async () => {
    const first = resolved({ preset: "volatile", personas: "generator:2,zip:3,aa:1", hours: 0.5, seed: 9 });
    await Bun.write(path("printed.json"), experimentText(first));
    expect(resolved({ experiment: path("printed.json") })).toEqual(first);
  });
});

describe("the faults of a command line", () => {
  test("of flags, experiment and market are named all together, each with its source", async () => {
    const experiment = await file("wrong.json", { name: "wrong", seed: -1 });
    expect(faultsOf({
      experiment,
      market: path("none.json"),
      personas: "zap:3,zip",
      events: "heat_wave@1h:size=9",
      start: "1999-01-01T00:00:00Z",
      hours: 1,
      steps: 1,
    })).toEqual([
      expect.stringMatching(new RegExp(`^${experiment}: seed: must be at least 0 `)),
      "--hours and --steps: give one of them",
      expect.stringMatching(/^--start: is not from 2000 to 2099/),
      '--personas: "zip" is not a strategy and a number, such as zic:20',
      expect.stringMatching(
        /^--personas: zap:3: strategy: there is no "zap" \(did you mean zip\?\); give one of zic, /,
      ),
      expect.stringMatching(/^--events: heat_wave@1h: size: must be at most 5 /),
      `${path("none.json")}: can't be read: no such file or folder`,
    ]);
  });

  test("of an experiment that does not fit its market name the file or the flag", async () => {
    const experiment = await file("stranger.json", {
      name: "stranger",
      personas: [{ strategy: "zic", count: 1, entityId: "NOBODY" }],
      events: [{ type: "heat_wave", afterHours: 1, node: "EAST" }],
    });
    expect(faultsOf({ experiment })).toEqual([
      expect.stringMatching(new RegExp(`^${experiment}: personas\\[0\\]\\.entityId: no entity "NOBODY"`)),
      `${experiment}: events[0].node: no node "EAST" with a spot price; use one of NORTH, WEST`,
    ]);
    expect(faultsOf({ events: "heat_wave@1h:node=EAST" })).toEqual([
      '--events[0].node: no node "EAST" with a spot price; use one of NORTH, WEST',
    ]);
  });

  test("include a start after the last delivery of a market that lists no contracts by rules", () => {
    const market = path("markets/small.json");
    expect(faultsOf({ market, start: "2026-01-20T00:00:00Z" })).toEqual([]);
    expect(faultsOf({ market, start: "2030-01-01T00:00:00Z" })).toEqual([
      expect.stringMatching(
        /^--start: nothing is left to trade at 2030-01-01T00:00:00\.000Z: the last delivery begins at 2026/,
      ),
    ]);
    expect(faultsOf({ start: "2050-01-01T00:00:00Z" })).toEqual([]);
  });

  test("include a start at the last delivery, but not one between two, and a market without anything at spot nodes", () => {
    const definition = smallMarket();
    const [first] = definition.contracts;
    const at = (deliveryStart: string) => ({ ...first!, id: deliveryStart, deliveryStart });
    const contracts = [at("2026-02-01T00:00:00.000Z"), at("2026-02-03T00:00:00.000Z")];
    const faultsAt = (start: string, market: object = { contracts }) =>
      experimentFaults(presetExperiment("thin"), { ...definition, ...market }, Date.parse(start))
        .filter((fault) => /^(start|market)/.test(fault));
    expect(faultsAt("2026-02-02T00:00:00Z")).toEqual([]);
    expect(faultsAt("2026-02-03T00:00:00Z")).toEqual([expect.stringContaining("start: nothing is left to trade")]);
    expect(faultsAt("2026-02-02T00:00:00Z", { contracts: [] })).toEqual([
      expect.stringContaining("market: no contract is at a node with a spot price"),
    ]);
  });

  test("include no event that begins when another one ends", async () => {
    const shock = { type: "fuel_shock", durationHours: 2 };
    const events = Array.from({ length: 101 }, (_, at) => ({ ...shock, afterHours: at < 100 ? 0 : 2 }));
    expect(faultsOf({ experiment: await file("relay.json", { name: "relay", events }) })).toEqual([]);
  });

  test("include more events at once than can be active", async () => {
    const shock = { type: "fuel_shock", durationHours: 2 };
    const events = Array.from({ length: 101 }, (_, at) => ({ ...shock, afterHours: at / 100 }));
    const experiment = await file("crowd.json", { name: "crowd", events });
    expect(faultsOf({ experiment })).toEqual([
      `${experiment}: events[100]: more than 100 events are active 1 hours after the start; use fewer`,
    ]);
  });
});
