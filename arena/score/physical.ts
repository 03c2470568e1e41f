// What a duty, a plant or a battery is worth beside the trades: it runs in the best way for what was traded and for spot
// prices. Whatever is held beyond it, or missing, is an imbalance: it settles at spot, as all positions do, and costs the fee.

import type { Asset, TradingTerms } from "../scenario/trading-terms.ts";
import type { Programme, Term } from "./programme.ts";

/** A contract, in the order of delivery. */
export interface Period {
  readonly contractId: string;
  /** Of delivery. */
  readonly hours: number;
  /** What it settles at, in dollars/MWh. */
  readonly value: number;
}

/** A net position in MW: a constant and variables. */
interface Net {
  readonly constant: number;
  readonly terms: readonly Term[];
}

/** Adds it to a programme, whose sum is in dollars. `nets`: of each period. */
export function addPhysical(
  programme: Programme,
  { asset, duty, imbalanceFee }: Pick<TradingTerms, "asset" | "duty" | "imbalanceFee">,
  periods: readonly Period[],
  nets: readonly Net[],
): void {
  if (asset === null && duty === null) return;
  const outputs = asset === null ? periods.map((): Term[] => []) : outputsOf(programme, asset, periods);
  for (const [at, { hours, value }] of periods.entries()) {
    const { constant, terms } = nets[at]!;
    const needed = duty ?? 0;
    programme.constant(-value * needed * hours);
    const beyond = programme.variable({ worth: -imbalanceFee * hours });
    const missing = programme.variable({ worth: -imbalanceFee * hours });
    const open = needed - constant;
    programme.row([...terms, ...outputs[at]!, [beyond, -1], [missing, 1]], open, open);
  }
}

/** The output of each period in MW, negative if it takes energy, as a sum of new variables. */
function outputsOf(programme: Programme, asset: Asset, periods: readonly Period[]): Term[][] {
  return asset.kind === "plant" ? plantOutputs(programme, asset, periods) : batteryOutputs(programme, asset, periods);
}

function plantOutputs(
  programme: Programme,
  { megawatts, costPerMwh, rampMw }: Extract<Asset, { kind: "plant" }>,
  periods: readonly Period[],
): Term[][] {
  let before: number | null = null;
  return periods.map(({ hours, value }) => {
    const output = programme.variable({ most: megawatts, worth: (value - costPerMwh) * hours });
    programme.row(before === null ? [[output, 1]] : [[output, 1], [before, -1]], -rampMw, rampMw);
    before = output;
    return [[output, 1]];
  });
}

/** It charges or discharges in a period, and never both, which would burn energy if prices are negative. */
function batteryOutputs(
  programme: Programme,
  { megawatts, hours: full, efficiency }: Extract<Asset, { kind: "battery" }>,
  periods: readonly Period[],
): Term[][] {
  let before: number | null = null;
  return periods.map(({ hours, value }) => {
    const charge = programme.variable({ worth: -value * hours });
    const discharge = programme.variable({ worth: value * hours });
    const isCharging = programme.variable({ most: 1, isWhole: true });
    programme.row([[charge, 1], [isCharging, -megawatts]], -Infinity, 0);
    programme.row([[discharge, 1], [isCharging, megawatts]], -Infinity, megawatts);
    const stored = programme.variable({ most: megawatts * full });
    const flows: Term[] = [[stored, 1], [charge, -efficiency * hours], [discharge, hours]];
    programme.row(before === null ? flows : [...flows, [before, -1]], 0, 0);
    before = stored;
    return [[discharge, 1], [charge, -1]];
  });
}
