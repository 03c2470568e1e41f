// The files of the presets: complete experiments. They are imported, so they are part of the executable.

import type { SimulationPreset } from "../../protocol/index.ts";
import calm from "./presets/calm.json" with { type: "json" };
import stress from "./presets/stress.json" with { type: "json" };
import thin from "./presets/thin.json" with { type: "json" };
import volatile from "./presets/volatile.json" with { type: "json" };

const FILES: Readonly<Record<SimulationPreset, Readonly<Record<string, unknown>>>> = { calm, volatile, stress, thin };

/** As its file says it, without the fields for editors. */
export function presetFile(name: SimulationPreset): Readonly<Record<string, unknown>> {
  const { $schema: _forEditors, ...fields } = FILES[name];
  return fields;
}
