import { describe, expect, test } from "bun:test";
import { mandateOf } from "../../../arena/scenario/mandate.ts";
import { builtInScenarios, readScenario } from "../../../arena/scenario/read-scenario.ts";
import type { Scenario } from "../../../arena/scenario/scenario.ts";
import { PACKS } from "../../../plugins/index.ts";

const TOOLS = PACKS.flatMap((pack) => pack.tools.map(({ name }) => name));
const [FIRST] = builtInScenarios(TOOLS) as [Scenario];

function faultsOf(changes: Readonly<Record<string, unknown>>): readonly string[] {
  const read = readScenario({ ...FIRST, ...changes }, TOOLS);
  return read.ok ? [] : read.faults;
}

describe("a scenario", () => {
  test("that is built in has a name of its own, and is read from its own text", () => {
    const all = builtInScenarios(TOOLS);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const each of all) {
      expect(readScenario(JSON.parse(JSON.stringify(each)), TOOLS)).toEqual({ ok: true, scenario: each });
    }
  });

  test.each<[Readonly<Record<string, unknown>>, string | RegExp]>([
    [{ name: "Evening Peak" }, /^name: is not a name \(.*\)$/],
    [{ kind: "playing" }, /^kind: .*trading/],
    [{ grade: 4 }, /^grade: /],
    [{ minutes: 721 }, /^minutes: .*at most 720/],
    [{ warmUpMinutes: 1441 }, /^warmUpMinutes: /],
    [{ start: "2026-03-02T13:00:00" }, /^start: .*with an offset/],
    [{ tools: ["mkt_get_order_bok"] }, /^tools\[0\]: .*mkt_get_order_book/],
    [{ permissions: ["Market.Everything"] }, /^permissions\[0\]: /],
    [{ minute: 5 }, /^minute: no such field/],
    [{ brief: "Buy {volumeMw} MW at {node}." }, "brief: {node} is not among draws"],
    [{ brief: "Buy." }, "draws.volumeMw: the brief does not say it"],
    [{ draws: { volumeMw: { least: 5, most: 4, step: 1 } } }, /^draws\.volumeMw: least is above most/],
  ])("with %j is refused", (changes, fault) => {
    const faults = faultsOf(changes);
    expect(faults).toHaveLength(1);
    if (typeof fault === "string") expect(faults[0]).toBe(fault);
    else expect(faults[0]).toMatch(fault);
  });
});

describe("a mandate", () => {
  const of = (seed: number, draws: Scenario["draws"] = FIRST.draws) =>
    mandateOf({ ...FIRST, draws, brief: "{volumeMw} and {volumeMw}" }, { seed, entityId: "WILLOW" });

  test("has the amounts that the seed decides, each a step, from the least to the greatest", () => {
    const amounts = Array.from({ length: 200 }, (_, seed) => of(seed).amounts["volumeMw"]!);
    expect(new Set(amounts)).toEqual(new Set([20, 25, 30, 35, 40, 45, 50, 55, 60]));
    expect(of(3)).toEqual(of(3));
  });

  test("says them in its brief, wherever their name stands", () => {
    const { brief, amounts } = of(1);
    expect(brief).toBe(`${amounts["volumeMw"]} and ${amounts["volumeMw"]}`);
  });

  test("draws decimal steps up to the greatest value, and never above it", () => {
    const draws = { volumeMw: { least: 0.1, most: 0.3, step: 0.1 } };
    const amounts = Array.from({ length: 60 }, (_, seed) => Number(of(seed, draws).amounts["volumeMw"]));
    expect(Math.max(...amounts)).toBeCloseTo(0.3, 9);
    expect(Math.min(...amounts)).toBeCloseTo(0.1, 9);
    expect(of(1, { volumeMw: { least: 7, most: 7, step: 2 } }).amounts).toEqual({ volumeMw: 7 });
  });
});
