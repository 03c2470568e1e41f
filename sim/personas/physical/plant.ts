// A plant of one's own: a generating unit with a least output, a ramp, a minimum run and a cost of starts. An outage stops it
// at once, and it has to start again.
//
// Limits: it changes its output at full hours, in equal steps that take at most the ramp each. It starts at, and stops from,
// at most its least output, or its ramp if that is more.

import { differenceOf, type ExactInteger } from "../../../engine/market/exact-integer.ts";
import { KILOWATTS_PER_MEGAWATT, NOTIONAL_PER_DOLLAR, wholeNotional } from "../../../engine/market/units.ts";
import { HOUR_MS } from "../../../protocol/time-units.ts";
import type { PlantSettings } from "./asset-settings.ts";
import { bestCourse, type Machine, type Move } from "./best-course.ts";
import { GeneratingUnit } from "./generating-unit.ts";
import { HourlyPlan, type OwnAsset } from "./own-asset.ts";
import type { Delivery, SettledHour } from "./physical-asset.ts";

const OFF = 0;
const STAYS_OFF: Move = { state: OFF, output: 0, cost: 0 };
const ONLY_OFF: readonly Move[] = [STAYS_OFF];
/** cents/MWh x kW x h. */
const HOURLY_NOTIONAL_PER_DOLLAR = NOTIONAL_PER_DOLLAR / 60;

export class Plant extends GeneratingUnit implements OwnAsset {
  readonly size: number;
  readonly #plan = new HourlyPlan();
  readonly #moves: readonly (readonly Move[])[];
  #state = OFF;
  #starts = 0;

  constructor(private readonly settings: PlantSettings, fuelFactor: () => number) {
    const { node, capacityMw, heatRate, fuelPrice, cost } = settings;
    const capacity = Math.round(capacityMw * KILOWATTS_PER_MEGAWATT);
    super(node, { capacity, heatRate, fuelPrice, variableCost: cost }, fuelFactor);
    this.size = capacity;
    this.#moves = movesOf(settings, capacity);
  }

  override get result(): ExactInteger {
    return differenceOf(super.result, wholeNotional(this.settings.startCost * this.#starts));
  }

  plan(start: number, prices: readonly number[]): void {
    const cost = this.marginalCost;
    const machine: Machine = {
      states: this.#moves.length,
      movesFrom: (state, hour) => this.isUpAt(start + hour * HOUR_MS) ? this.#moves[state]! : ONLY_OFF,
    };
    this.#plan.set(start, bestCourse(machine, this.#state, prices.map((price) => price - cost)));
  }

  override settle(hour: SettledHour): void {
    const isUp = this.isUpAt(hour.end - 1);
    super.settle(hour);
    const move = this.#plan.moveAt(hour.start);
    if (move === undefined) return;
    if (this.#state === OFF && move.state !== OFF) this.#starts += 1;
    this.#state = isUp ? move.state : OFF;
  }

  viewIn(contract: Delivery, time: number) {
    const terms = this.termsOf(contract, time);
    if (terms === null) return null;
    return {
      kind: "plant" as const,
      name: this.settings.name,
      output: this.isUpAt(time) ? this.#plan.at(time) : 0,
      capacity: this.parameters.capacity * this.shareUp(contract, time),
      planned: this.#plan.over(contract),
      unitCost: terms.unitCost,
      stored: null,
    };
  }

  protected override outputIn({ start }: SettledHour): number {
    return this.#plan.at(start);
  }
}

/** By state: off, or running at a level, with a number of hours for which it has to go on. */
function movesOf({ capacityMw, minimumMw, rampMw, minimumRunHours: run, startCost }: PlantSettings, capacity: number) {
  const range = capacityMw - minimumMw;
  const steps = range === 0 ? 0 : Math.ceil(range / (rampMw ?? range));
  const first = rampMw === null || range === 0
    ? steps
    : Math.min(steps, Math.floor((Math.max(minimumMw, rampMw) - minimumMw) / (range / steps)));
  const levels = Array.from({ length: steps + 1 }, (_, level) => {
    const output = minimumMw + (steps === 0 ? 0 : range * level / steps);
    return Math.min(capacity, Math.round(output * KILOWATTS_PER_MEGAWATT));
  });
  const to = (level: number, hoursLeft: number, cost = 0): Move => (
    { state: 1 + level * run + hoursLeft, output: levels[level]!, cost }
  );
  const starts = levels.slice(0, first + 1).map((_, level) =>
    to(level, run - 1, startCost * HOURLY_NOTIONAL_PER_DOLLAR)
  );
  const running = levels.flatMap((_, level) =>
    Array.from({ length: run }, (_, hoursLeft) => [
      ...[level, level + 1, level - 1].filter((next) => next in levels).map((next) =>
        to(next, Math.max(0, hoursLeft - 1))
      ),
      ...(hoursLeft === 0 && level <= first ? [STAYS_OFF] : []),
    ])
  );
  return [[STAYS_OFF, ...starts], ...running];
}
