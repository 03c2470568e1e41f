// A load of one's own: that of a retailer, with figures and hours of its own.

import { KILOWATTS_PER_MEGAWATT } from "../../../engine/market/units.ts";
import type { LocalCalendar } from "../../spot/local-calendar.ts";
import type { LoadSettings } from "./asset-settings.ts";
import type { OwnAsset } from "./own-asset.ts";
import type { Delivery } from "./physical-asset.ts";
import { RetailLoad } from "./retail-load.ts";

export class OwnLoad extends RetailLoad implements OwnAsset {
  readonly size: number;

  constructor(private readonly settings: LoadSettings, calendar: LocalCalendar) {
    const { node, loadMw, tariff, profile, weekend } = settings;
    super(node, { load: loadMw * KILOWATTS_PER_MEGAWATT, tariff, profile, weekend }, calendar);
    this.size = Math.round(2 * loadMw * KILOWATTS_PER_MEGAWATT);
  }

  /** It uses what it uses at any price. */
  plan(): void {}

  viewIn(contract: Delivery, time: number) {
    if (contract.node !== this.node) return null;
    return {
      kind: "load" as const,
      name: this.settings.name,
      output: -this.loadAt(time),
      capacity: 0,
      planned: -this.meanLoad(contract),
      unitCost: this.settings.tariff,
      stored: null,
    };
  }
}
