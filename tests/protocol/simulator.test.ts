// The names and ranges in the control API are those of the simulator, which the protocol does not import.

import { describe, expect, test } from "bun:test";
import {
  DEFAULT_PRESET,
  MAX_PERSONAS,
  SIMULATION_PRESETS,
  SPOT_EVENT_TYPES,
  SPOT_REGIMES,
  startSimulationRequest,
  triggerEventRequest,
} from "../../protocol/index.ts";
import { presetExperiment } from "../../sim/experiment/read-experiment.ts";
import { SPOT_EVENT_TYPES as SIMULATED_TYPES, type SpotRegime } from "../../sim/spot/spot-prices.ts";

describe("the control API", () => {
  test("names exactly the event types and regimes of the simulator", () => {
    expect<readonly string[]>(SIMULATED_TYPES).toEqual(SPOT_EVENT_TYPES);
    expect<readonly SpotRegime[]>(SPOT_REGIMES).toEqual(["base", "spike", "drop"]);
    expect(SIMULATION_PRESETS).toContain(DEFAULT_PRESET);
  });

  test.each(SIMULATION_PRESETS)("accepts the personas and events of preset %s", (name) => {
    const { personas, events } = presetExperiment(name);
    const groups = personas.map(({ strategy, count, entityId }) => ({ strategy, count, entityId }));
    expect(startSimulationRequest.safeParse({ preset: name, personas: groups }).error?.issues ?? []).toEqual([]);
    for (const { type, size, durationHours } of events) {
      expect(triggerEventRequest.safeParse({ type, size, durationHours }).error?.issues ?? []).toEqual([]);
    }
  });

  test("counts personas over all groups", () => {
    const groups = (count: number) => ({
      personas: [{ strategy: "zic", count: 1 }, { strategy: "zip", count }],
    });
    expect(startSimulationRequest.safeParse(groups(MAX_PERSONAS - 1)).success).toBe(true);
    expect(startSimulationRequest.safeParse(groups(MAX_PERSONAS)).error?.issues).toMatchObject([
      { path: ["personas"], message: `more than ${MAX_PERSONAS} personas in all` },
    ]);
  });
});
