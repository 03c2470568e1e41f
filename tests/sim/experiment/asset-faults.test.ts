// Plants, loads and batteries of an experiment's own: the faults of the file, and of the groups that name them.

import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { assetFaults } from "../../../sim/experiment/asset-faults.ts";
import { readExperiment } from "../../../sim/experiment/read-experiment.ts";
import { simulate } from "../../../sim/headless/simulate.ts";

const PLANT = { name: "mine", node: "NORTH", capacityMw: 50, cost: 2_000 };
const LOAD = { name: "mill", node: "WEST", loadMw: 50 };
const BATTERY = { name: "cell", node: "WEST", powerMw: 5, capacityMwh: 10 };

function read(fields: object) {
  return readExperiment({ name: "own", preset: "thin", hours: 0.1, ...fields });
}

function faultsOf(fields: object): readonly string[] {
  const experiment = read(fields);
  return experiment.ok ? assetFaults(experiment.experiment, ["NORTH", "WEST"]) : experiment.faults;
}

const group = (strategy: string, asset: string, count = 1) => ({ strategy, asset, count });

describe("an experiment's own assets", () => {
  test.each([
    ["an unknown node", { plants: [{ ...PLANT, node: "NORT" }] }, ["plants[0].node: there is no "]],
    ["a name that is taken", { plants: [PLANT], batteries: [{ ...BATTERY, name: "mine" }] }, ["batteries[0].name: "]],
    ["a name in capitals", { loads: [{ ...LOAD, name: "Mill" }] }, ["loads[0].name: must be lower case letters"]],
    ["no capacity", { plants: [{ ...PLANT, capacityMw: undefined }] }, ["plants[0].capacityMw: is missing (Greatest"]],
    ["a minimum above its capacity", { plants: [{ ...PLANT, minimumMw: 60 }] }, [
      "plants[0].minimumMw: is above capacityMw, 50",
    ]],
    ["a ramp that takes days", { plants: [{ ...PLANT, minimumMw: 0.8, rampMw: 2 }] }, [
      "plants[0].rampMw: must be at least 2.05",
    ]],
    ["a profile of other hours", { loads: [{ ...LOAD, profile: [1, 2] }] }, [
      "loads[0].profile: must have at least 24",
    ]],
    ["a profile of nothing", { loads: [{ ...LOAD, profile: Array.from({ length: 24 }, () => 0) }] }, [
      "loads[0].profile: needs a number above 0",
    ]],
    ["more energy than it stores", { batteries: [{ ...BATTERY, storedMwh: 11 }] }, [
      "batteries[0].storedMwh: is above",
    ]],
    ["an efficiency in per cent", { batteries: [{ ...BATTERY, efficiency: 85 }] }, [
      "batteries[0].efficiency: must be",
    ]],
    ["energy for weeks", { batteries: [{ ...BATTERY, capacityMwh: 121 }] }, ["batteries[0].capacityMwh: is more than"]],
    ["an owner of none", { personas: [group("generator", "mine")] }, ['personas[0].asset: there is no "mine"; plants']],
    ["an owner of another", { plants: [PLANT], personas: [group("generator", "mina")] }, [
      'personas[0].asset: there is no "mina" (did you mean mine?); give one of mine',
    ]],
    ["two owners, and one of three", {
      plants: [PLANT],
      personas: [group("generator", "mine", 3), group("generator", "mine")],
    }, [
      'personas[0].count: must be 1, because "mine" is one plant',
      'personas[1].asset: "mine" is that of personas[0]',
    ]],
    ["strategies that can't trade for them", {
      ...{ plants: [PLANT], loads: [LOAD], batteries: [BATTERY] },
      personas: [
        ...[group("zip", "mine"), group("generator", "mill"), group("retailer", "cell")],
        group("momentum", "mill"),
      ],
    }, [
      "personas[0].strategy: zip can't trade for a plant; use generator or a file",
      "personas[1].strategy: generator can't trade for a load; use retailer or a file",
      "personas[2].strategy: retailer can't trade for a battery; use a file",
      'personas[3].asset: "mill" is that of personas[1]',
      "personas[3].strategy: momentum can't trade for a load; use retailer or a file",
    ]],
  ])("with %s are refused", (_, fields, faults) => {
    const found = faultsOf(fields);
    expect(found.map((fault, at) => fault.slice(0, faults[at]?.length))).toEqual(faults);
  });

  test("may be at their bounds", () => {
    const plants = [{ ...PLANT, minimumMw: 50 }, { ...PLANT, name: "slow", minimumMw: 2, rampMw: 2 }];
    const loads = [{ ...LOAD, profile: Array.from({ length: 24 }, (_, hour) => hour === 3 ? 1 : 0) }];
    const batteries = [{ ...BATTERY, capacityMwh: 120, storedMwh: 120 }];
    expect(faultsOf({ plants, loads, batteries })).toEqual([]);
  });

  test("are traded by the built-in strategies at their node and within their shares", () => {
    const others = [{ strategy: "avellaneda-stoikov", count: 2 }];
    const personas = [...others, group("generator", "mine"), group("retailer", "mill")];
    const experiment = read({ start: "2026-03-02T06:50:00Z", hours: 0.25, plants: [PLANT], loads: [LOAD], personas });
    if (!experiment.ok) throw new Error(experiment.faults.join("; "));
    const report = simulate({ experiment: experiment.experiment, definition: builtInMarket() });
    const [plant, load] = report.personas.slice(2);
    for (const [owner, node, most] of [[plant, "NORTH", 50 * 0.15 + 1], [load, "WEST", 50 * 0.2]] as const) {
      expect(owner?.orders).toBeGreaterThan(0);
      expect(owner?.positions.every(({ contractId }) => contractId.startsWith(node))).toBe(true);
      expect(Math.max(0, ...owner?.positions.map(({ netPositionMw }) => Math.abs(netPositionMw)) ?? [])).toBeLessThan(
        most,
      );
    }
    expect(load?.physicalResult).not.toBe(0);
  });
});
