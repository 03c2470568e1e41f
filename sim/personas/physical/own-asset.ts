// A plant, load or battery of an experiment's own. At the start of each hour it plans the next two days by what the market
// expects of spot prices, and does in the hour what it has planned.

import { HOUR_MS } from "../../../protocol/time-units.ts";
import type { AssetView } from "../../strategies/strategy.ts";
import type { Move } from "./best-course.ts";
import type { Delivery, PhysicalAsset } from "./physical-asset.ts";

/** Hours. */
export const HORIZON = 48;

export interface OwnAsset extends PhysicalAsset {
  /** kW: the most that its company needs to trade for an hour. */
  readonly size: number;
  /** Plans the hours from `start` on. `prices`: expected, cents/MWh, of each hour. All hours before are settled. */
  plan(start: number, prices: readonly number[]): void;
  /** As a contract's trader sees it, without what was traded; null if the contract delivers at another node. */
  viewIn(contract: Delivery, time: number): Omit<AssetView, "position"> | null;
}

/** What was planned for each hour. */
export class HourlyPlan {
  #start = 0;
  #course: readonly Move[] = [];

  set(start: number, course: readonly Move[]): void {
    this.#start = start;
    this.#course = course;
  }

  /** Of the hour that contains `time`; undefined outside of the plan. */
  moveAt(time: number): Move | undefined {
    return this.#course[Math.floor((time - this.#start) / HOUR_MS)];
  }

  /** In kW, likewise; 0 outside of the plan. */
  at(time: number): number {
    return this.moveAt(time)?.output ?? 0;
  }

  /** In kW, over a delivery; null if the plan does not reach from its beginning to its end. */
  over({ deliveryStart, deliveryEnd }: Delivery): number | null {
    const [from, until] = [deliveryStart, deliveryEnd].map((time) => Math.floor((time - this.#start) / HOUR_MS));
    if (!(from! >= 0 && until! > from! && until! <= this.#course.length)) return null;
    const planned = this.#course.slice(from, until);
    return planned.reduce((sum, { output }) => sum + output, 0) / planned.length;
  }
}
