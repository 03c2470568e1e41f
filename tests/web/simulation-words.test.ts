import { describe, expect, test } from "bun:test";
import {
  SIMULATION_PRESETS,
  SPOT_EVENT_TYPES,
  startSimulationRequest,
  triggerEventRequest,
} from "../../protocol/simulator.ts";
import { runTime } from "../../web/components/simulation.tsx";
import {
  EVENT_TYPES,
  numberIn,
  PRESETS,
  startArguments,
  startEffect,
  triggerEffect,
} from "../../web/dashboard/pages/simulation-words.ts";

test("presets and events are those of the protocol", () => {
  expect([...PRESETS]).toEqual([...SIMULATION_PRESETS]);
  expect([...EVENT_TYPES]).toEqual([...SPOT_EVENT_TYPES]);
});

describe("a start", () => {
  test("sends what was typed, and nothing for empty fields", () => {
    expect(startArguments("stress", " 7 ", "60")).toEqual({ preset: "stress", seed: 7, speed: 60 });
    const bare = startArguments("calm", "", " ");
    expect(bare).toEqual({ preset: "calm" });
    expect(startSimulationRequest.safeParse(bare).success).toBe(true);
  });

  test("says what happens to market time and to the seed", () => {
    expect(startEffect({ preset: "calm", speed: 60 })).toContain("60 times as fast");
    expect(startEffect({ preset: "calm", seed: 7 })).toContain("The seed is 7.");
    expect(startEffect({ preset: "calm" })).toContain("Market time keeps its speed. The simulator chooses a seed.");
  });
});

describe("a market event", () => {
  test.each([
    ["heat_wave", "Prices rise with the demand for cooling"],
    ["cold_snap", "Prices rise with the demand for heating"],
    ["plant_outage", "Prices rise because a plant is missing"],
    ["line_congestion", "The line between the nodes fills, so their prices move apart"],
    ["renewable_surplus", "Prices fall with much wind and sun"],
    ["fuel_shock", "Prices rise with the cost of fuel"],
    ["demand_drop", "Prices fall with the demand"],
    ["one of a newer server", "Prices change"],
  ])("of type %s says: %s", (type, effect) => {
    expect(triggerEffect({ type, size: 1, durationHours: 2 }, ["NORTH", "WEST"])).toBe(
      `${effect}: at once at NORTH and WEST, with typical size, expected to fade over 2 hours of market time. ` +
        "It can't be taken back, and each call adds another event.",
    );
  });

  test("says what it does, where, how strongly and how long", () => {
    const event = { type: "plant_outage", node: "WEST", size: 2, durationHours: 12 };
    expect(triggerEventRequest.safeParse(event).success).toBe(true);
    expect(triggerEffect(event, ["NORTH", "WEST"])).toBe(
      "Prices rise because a plant is missing: at once at WEST, with 2 times the typical size, expected to fade over 12 hours of " +
        "market time. It can't be taken back, and each call adds another event.",
    );
  });

  test("of no node names all nodes", () => {
    const event = { type: "heat_wave", size: 1, durationHours: 6 };
    expect(triggerEffect(event, ["NORTH", "WEST"])).toContain("at NORTH and WEST, with typical size");
  });
});

describe("a typed number", () => {
  test.each([[" 2.5 ", 2.5], [" ", null]])("%p is %p", (text, value) => {
    expect(numberIn("Size", text, 0.1, 5)).toEqual({ value, fault: null });
  });

  test.each(["0", "6", "x", "1e99", "NaN"])("%s is refused with the range", (text) => {
    expect(numberIn("Size", text, 0.1, 5)).toEqual({ value: null, fault: "Size must be a number from 0.1 to 5" });
  });

  test("with a fraction is refused if it must be whole", () => {
    expect(numberIn("Seed", "1.5", 0, 10, { isWhole: true }).fault).toBe("Seed must be a whole number from 0 to 10");
  });
});

test("the length of a run has its two largest units", () => {
  expect([0, 240_000, 3_600_000 * 3.5, 86_400_000 * 2.5].map(runTime).join(", "))
    .toBe("0 min, 4 min, 3 h 30 min, 2 d 12 h");
});
