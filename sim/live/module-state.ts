// Typed module data from state messages that a FrameReader has checked.

import { type ModuleData, type ModuleType } from "../../protocol/modules/registry.ts";
import { parseStatePath } from "../../protocol/state-path.ts";
import type { StateMessage } from "../../protocol/index.ts";
import { KILOWATTS_PER_MEGAWATT, kilowattsOf } from "../../engine/market/units.ts";

/** The new data of a module; null if the module was removed. */
export type ModuleChange = {
  [Type in ModuleType]: { readonly type: Type; readonly id: string; readonly data: ModuleData<Type> | null };
}[ModuleType];

/** Null if the path is not a module's. */
export function moduleChange({ statePath, state }: StateMessage): ModuleChange | null {
  const path = parseStatePath(statePath);
  return path === null ? null : { ...path, data: state } as ModuleChange;
}

/** Whole kW of a quantity in MW; rounded if the engine uses smaller units. */
export function kilowatts(megawatts: number): number {
  return kilowattsOf(megawatts) ?? Math.round(megawatts * KILOWATTS_PER_MEGAWATT);
}
