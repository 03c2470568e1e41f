// What the simulator reads of messages that a FrameReader has checked.

import { type ModuleData, type ModuleType } from "../../protocol/modules/registry.ts";
import { parseStatePath } from "../../protocol/state-path.ts";
import type { StateMessage } from "../../protocol/index.ts";
import { kilowattsOf } from "../market/units.ts";

/** A module as of now; `data` null: it was removed. */
export type ModuleChange = {
  [Type in ModuleType]: { readonly type: Type; readonly id: string; readonly data: ModuleData<Type> | null };
}[ModuleType];

/** Null where the path is none. */
export function moduleChange({ statePath, state }: StateMessage): ModuleChange | null {
  const path = parseStatePath(statePath);
  return path === null ? null : { ...path, data: state } as ModuleChange;
}

/** Whole kW of a quantity in MW; rounded, where an engine deals in less. */
export function kilowatts(megawatts: number): number {
  return kilowattsOf(megawatts) ?? Math.round(megawatts * 1000);
}
