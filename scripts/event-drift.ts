// Whether a forecast drifts after an event: the change of the best forecast of tomorrow's base at the event's node, from the
// announcement on, over many seeds. A martingale has no drift, so of the means that this prints some 5 % lie beyond two of
// their standard errors, and none beyond four.
//
//   bun scripts/event-drift.ts [SEEDS]    for each preset, type and size of event; default 200
//
// The events of the preset come, too.

import { aligned } from "../bench/table.ts";
import { builtInMarket } from "../engine/definition/built-in-market.ts";
import { DAY_MS, MINUTE_MS } from "../protocol/time-units.ts";
import { SIMULATION_PRESETS, type SimulationPreset } from "../protocol/index.ts";
import { presetExperiment } from "../sim/experiment/read-experiment.ts";
import { SpotSchedule } from "../sim/population/spot-schedule.ts";
import { marketSpotPrices } from "../sim/spot/market-spot.ts";
import { SPOT_EVENT_TYPES, type SpotEventType } from "../sim/spot/spot-prices.ts";

const START = Date.parse("2026-07-01T00:00:00-05:00");
/** When the event is announced, and begins. */
const EVENT_TIME = START + 65 * MINUTE_MS;
const MINUTES = [10, 30, 60, 120, 240, 360] as const;
const SIZES = [0.5, 1, 2] as const;
const NODE = "NORTH";

interface DriftCase {
  readonly preset: SimulationPreset;
  readonly type: SpotEventType;
  readonly size: number;
  readonly seeds: number;
  /** Cases with other first seeds are independent. */
  readonly firstSeed: number;
}

/** Mean relative change after each of MINUTES, and its standard error, in percent. */
export function driftAfter({ preset, type, size, seeds, firstSeed }: DriftCase) {
  const changes = Array.from({ length: seeds }, (_, at) => changesOf(preset, type, size, firstSeed + at));
  return MINUTES.map((minutes, at) => {
    const values = changes.map((each) => each[at]!);
    const mean = values.reduce((sum, value) => sum + value, 0) / seeds;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (seeds - 1);
    return { minutes, mean: 100 * mean, error: 100 * Math.sqrt(variance / seeds) };
  });
}

function changesOf(preset: SimulationPreset, type: SpotEventType, size: number, seed: number): number[] {
  const spot = marketSpotPrices(builtInMarket(), seed, START);
  const schedule = new SpotSchedule(spot, presetExperiment(preset).events, START);
  const advanceTo = (time: number) => {
    for (let step = spot.current(NODE).time; step <= time; step += 5 * MINUTE_MS) {
      schedule.triggerDue(step);
      spot.advanceTo(step);
    }
  };
  const forecast = () => spot.expectedPrice(NODE, START + DAY_MS, START + 2 * DAY_MS, "base");
  advanceTo(EVENT_TIME);
  spot.trigger({ type, node: NODE, size, durationHours: 24 });
  const before = forecast();
  return MINUTES.map((minutes) => {
    advanceTo(EVENT_TIME + minutes * MINUTE_MS);
    return forecast() / before - 1;
  });
}

if (import.meta.main) {
  const seeds = Number(process.argv[2] ?? 200);
  let firstSeed = 1;
  let [cells, beyondTwo, beyondFour] = [0, 0, 0];
  const rows: string[][] = [];
  for (const preset of SIMULATION_PRESETS) {
    for (const type of SPOT_EVENT_TYPES) {
      for (const size of SIZES) {
        const drifts = driftAfter({ preset, type, size, seeds, firstSeed });
        firstSeed += seeds;
        for (const { mean, error } of drifts) {
          cells += 1;
          if (Math.abs(mean) > 2 * error) beyondTwo += 1;
          if (Math.abs(mean) > 4 * error) beyondFour += 1;
        }
        rows.push([
          preset,
          type,
          String(size),
          ...drifts.map(({ mean, error }) => `${mean.toFixed(2)} ± ${error.toFixed(2)}`),
        ]);
      }
    }
  }
  console.log(aligned(["preset", "event", "size", ...MINUTES.map((minutes) => `${minutes} min, %`)], rows));
  console.log(
    `${seeds} seeds each; of ${cells} means ${beyondTwo} lie beyond two standard errors, ${beyondFour} beyond four`,
  );
}
