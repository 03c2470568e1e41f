// A battery of one's own. It charges from the spot market and discharges to it, in whole steps of its energy.

import { type ExactInteger, productOf, sumOf } from "../../../engine/market/exact-integer.ts";
import { KILOWATTS_PER_MEGAWATT } from "../../../engine/market/units.ts";
import { MINUTE_MS } from "../../../protocol/time-units.ts";
import type { BatterySettings } from "./asset-settings.ts";
import { bestCourse, type Machine, type Move } from "./best-course.ts";
import { HourlyPlan, type OwnAsset } from "./own-asset.ts";
import type { Delivery, SettledHour } from "./physical-asset.ts";

/** Least number of steps in an hour at full power. */
const STEPS_PER_HOUR = 4;
/** Of a quotient that would be whole without the rounding of binary numbers. */
const ROUNDING = 1e-9;

export class Battery implements OwnAsset {
  readonly size: number;
  readonly #plan = new HourlyPlan();
  /** By the number of steps stored. */
  readonly #moves: readonly (readonly Move[])[];
  /** kWh. */
  readonly #step: number;
  #stored: number;
  #result: ExactInteger = 0;

  constructor(private readonly settings: BatterySettings) {
    const { powerMw, capacityMwh, storedMwh } = settings;
    const steps = Math.ceil(STEPS_PER_HOUR * Math.max(1, capacityMwh / powerMw) - ROUNDING);
    this.size = Math.round(powerMw * KILOWATTS_PER_MEGAWATT);
    this.#step = capacityMwh * KILOWATTS_PER_MEGAWATT / steps;
    this.#stored = Math.round(storedMwh / capacityMwh * steps);
    this.#moves = movesOf(settings, this.#step, steps);
  }

  get node(): string {
    return this.settings.node;
  }

  get result(): ExactInteger {
    return this.#result;
  }

  plan(start: number, prices: readonly number[]): void {
    const machine: Machine = { states: this.#moves.length, movesFrom: (state) => this.#moves[state]! };
    this.#plan.set(start, bestCourse(machine, this.#stored, prices));
  }

  settle({ start, from, end, price }: SettledHour): void {
    const move = this.#plan.moveAt(start);
    if (move === undefined) return;
    const energy = productOf(move.output, Math.round((end - from) / MINUTE_MS));
    const wear = move.output > 0 ? Math.round(this.settings.cost) : 0;
    this.#result = sumOf(this.#result, productOf(energy, price - wear));
    this.#stored = move.state;
  }

  termsOf(): null {
    return null;
  }

  viewIn(contract: Delivery, time: number) {
    if (contract.node !== this.node) return null;
    return {
      kind: "battery" as const,
      name: this.settings.name,
      output: this.#plan.at(time),
      capacity: this.size,
      planned: this.#plan.over(contract),
      unitCost: this.settings.cost,
      stored: this.#stored * this.#step,
    };
  }
}

/** By the number of steps stored. Charging takes more from the market than it stores. */
function movesOf({ powerMw, efficiency, cost }: BatterySettings, step: number, steps: number): Move[][] {
  const power = powerMw * KILOWATTS_PER_MEGAWATT;
  const most = (share: number) => Math.floor(power * share / step + ROUNDING);
  const discharge = (stored: number, count: number): Move => (
    { state: stored - count, output: Math.round(count * step), cost: count * step * cost }
  );
  const charge = (stored: number, count: number): Move => (
    { state: stored + count, output: -Math.round(count * step / efficiency), cost: 0 }
  );
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  return Array.from({ length: steps + 1 }, (_, stored) => [
    { state: stored, output: 0, cost: 0 },
    ...upTo(Math.min(stored, most(1))).map((count) => discharge(stored, count)),
    ...upTo(Math.min(steps - stored, most(efficiency))).map((count) => charge(stored, count)),
  ]);
}
