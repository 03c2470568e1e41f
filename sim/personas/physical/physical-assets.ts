// The generating units and loads of a run: where they are, which unit an outage takes down, and the settlement of each hour.
//
// Units and loads are put at the nodes in turn. A plant outage takes down one unit at its node, or one at each node, until the
// event ends: the next one, in the order of creation, that is up. If all are down, or there is none, it takes down nobody's.
// An experiment names the nodes of its own assets. What they expect of prices is five minutes old, so their plans tell no news.
//
// Cost: O(assets) for each hour that ends, O(active events) for each call.

import type { z } from "zod";
import { KILOWATTS_PER_MEGAWATT } from "../../../engine/market/units.ts";
import { HOUR_MS } from "../../../protocol/time-units.ts";
import type { SeededRandom } from "../../random/seeded-random.ts";
import type { LocalCalendar } from "../../spot/local-calendar.ts";
import type { NodeCalendars } from "../../spot/node-calendars.ts";
import type { SpotPrices } from "../../spot/spot-prices.ts";
import { drawn } from "../../strategies/parameters.ts";
import { generatorParameters, retailerParameters } from "../../strategies/physical-parameters.ts";
import type { StrategyParameters, StrategyRole } from "../../strategies/registry.ts";
import { GeneratingUnit, type UnitParameters } from "./generating-unit.ts";
import type { NamedAsset } from "./asset-settings.ts";
import { Battery } from "./battery.ts";
import { HORIZON, type OwnAsset } from "./own-asset.ts";
import { OwnLoad } from "./own-load.ts";
import type { PhysicalAsset } from "./physical-asset.ts";
import { Plant } from "./plant.ts";
import { RetailLoad } from "./retail-load.ts";

interface PhysicalAssetsOptions {
  /** As of the start; its owner advances it. */
  readonly spot: Pick<SpotPrices, "activeEvents" | "expectedPrice" | "fuelFactor" | "history">;
  /** The nodes at which contracts are traded. */
  readonly nodes: readonly string[];
  readonly calendars: NodeCalendars;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
}

export class PhysicalAssets {
  /** Of the first node; shared, so move it before each use. */
  readonly calendar: LocalCalendar;
  readonly #units: GeneratingUnit[] = [];
  readonly #loads: RetailLoad[] = [];
  readonly #own: OwnAsset[] = [];
  /** What was expected of prices, by node, of the hours from `from` on. */
  #expected: { readonly from: number; readonly prices: ReadonlyMap<string, readonly number[]> } | null = null;
  /** Ids of the active outages that have taken down their units. */
  #outages: ReadonlyMap<string, readonly GeneratingUnit[]> = new Map();
  /** By node: the place after the last unit that an outage took down. */
  readonly #next = new Map<string, number>();
  #settledUntil: number;

  constructor(private readonly options: PhysicalAssetsOptions) {
    this.calendar = options.calendars.at(options.nodes[0] ?? "");
    this.#settledUntil = options.startTime;
  }

  /** Null if the role has no physical side. `parameters`: as parsed by its schema; absent: the defaults. */
  addFor(role: StrategyRole, parameters: StrategyParameters | undefined, random: SeededRandom): PhysicalAsset | null {
    if (role === "generator") {
      const { capacityMw, heatRate, fuelPrice, variableCost } = given(parameters, generatorParameters);
      const capacity = Math.round(capacityMw * KILOWATTS_PER_MEGAWATT);
      return this.addUnit({ capacity, heatRate: drawn(heatRate, random), fuelPrice, variableCost });
    }
    if (role === "retailer") {
      const { loadMw, tariff } = given(parameters, retailerParameters);
      return this.addLoad({ load: drawn(loadMw, random) * KILOWATTS_PER_MEGAWATT, tariff });
    }
    return null;
  }

  /** Adds an asset of the experiment's own. It does nothing before its first whole hour. */
  addOwn(asset: NamedAsset): OwnAsset {
    const own = this.#ownOf(asset);
    this.#own.push(own);
    // Outages also take down own plants.
    if (own instanceof Plant) this.#units.push(own);
    this.#plan([own], Math.ceil(this.options.startTime / HOUR_MS) * HOUR_MS);
    return own;
  }

  #ownOf({ kind, settings }: NamedAsset): OwnAsset {
    const { spot, calendars } = this.options;
    if (kind === "plant") return new Plant(settings, () => spot.fuelFactor(settings.node));
    return kind === "load" ? new OwnLoad(settings, calendars.at(settings.node)) : new Battery(settings);
  }

  addUnit(parameters: UnitParameters): GeneratingUnit {
    const node = this.#nodeFor(this.#units.filter((unit) => !(unit instanceof Plant)).length);
    const unit = new GeneratingUnit(node, parameters, () => this.options.spot.fuelFactor(node));
    this.#units.push(unit);
    return unit;
  }

  addLoad(parameters: RetailLoad["parameters"]): RetailLoad {
    const node = this.#nodeFor(this.#loads.length);
    const load = new RetailLoad(node, parameters, this.options.calendars.at(node));
    this.#loads.push(load);
    return load;
  }

  /** Call it when spot prices have moved to `time`, or an event was triggered. */
  advanceTo(time: number): void {
    this.#takeDown(time);
    const end = Math.floor(time / HOUR_MS) * HOUR_MS;
    if (end > this.#settledUntil) {
      this.#settle(end);
      this.#plan(this.#own, end);
    }
    this.#expected = this.#own.length === 0 ? null : this.#expectedFrom(end + HOUR_MS, this.#own);
  }

  /** By what was expected before `start`, or if nothing was, by what is expected now. */
  #plan(own: readonly OwnAsset[], start: number): void {
    const { prices } = this.#expected?.from === start ? this.#expected : this.#expectedFrom(start, own);
    for (const asset of own) asset.plan(start, prices.get(asset.node) ?? []);
  }

  #expectedFrom(from: number, own: readonly OwnAsset[]) {
    const pricesAt = (node: string) =>
      Array.from({ length: HORIZON }, (_, hour) => {
        const start = from + hour * HOUR_MS;
        return this.options.spot.expectedPrice(node, start, start + HOUR_MS, "base");
      });
    return { from, prices: new Map(own.map(({ node }) => node).map((node) => [node, pricesAt(node)])) };
  }

  #nodeFor(count: number): string {
    const { nodes } = this.options;
    return nodes[count % nodes.length] ?? "";
  }

  #takeDown(time: number): void {
    const outages = this.options.spot.activeEvents.filter(({ type }) => type === "plant_outage");
    if (outages.length === 0 && this.#outages.size === 0) return;
    const before = this.#outages;
    this.#outages = new Map(outages.map(({ id, node, startTime, endTime }) => {
      const nodes = node === null ? this.options.nodes : [node];
      const units = before.get(id) ?? nodes.flatMap((at) => this.#nextUnitAt(at, startTime) ?? []);
      for (const unit of units) unit.goDown(id, startTime, endTime);
      return [id, units];
    }));
    for (const [id, units] of before) if (!this.#outages.has(id)) { for (const unit of units) unit.goUp(id, time); }
  }

  #nextUnitAt(node: string, time: number): GeneratingUnit | undefined {
    const units = this.#units.filter((unit) => unit.node === node);
    const first = this.#next.get(node) ?? 0;
    for (let count = 0; count < units.length; count++) {
      const place = (first + count) % units.length;
      if (units[place]?.isUpAt(time) !== true) continue;
      this.#next.set(node, place + 1);
      return units[place];
    }
    return undefined;
  }

  #settle(until: number): void {
    const { spot, nodes } = this.options;
    const others = this.#own.filter((own) => !(own instanceof Plant));
    const assets: readonly PhysicalAsset[] = [...this.#units, ...this.#loads, ...others];
    const hours = Math.ceil((until - this.#settledUntil) / HOUR_MS);
    // The hour in progress comes last.
    const points = assets.length === 0 ? [] : spot.history(hours + 1);
    const factors = new Map(nodes.map((node) => [node, spot.fuelFactor(node)]));
    for (const { time: start, node, priceCents: price } of points) {
      const from = Math.max(start, this.#settledUntil);
      const end = start + HOUR_MS;
      if (end > until || end <= this.#settledUntil) continue;
      const hour = { start, from, end, price, fuelFactor: factors.get(node) ?? 1 };
      for (const asset of assets) if (asset.node === node) asset.settle(hour);
    }
    this.#settledUntil = until;
  }
}

function given<Schema extends z.ZodObject>(
  parameters: StrategyParameters | undefined,
  schema: Schema,
): z.output<Schema> {
  return (parameters ?? schema.parse({})) as z.output<Schema>;
}
