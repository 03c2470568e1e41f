// Reads the experiment from the JSON file of `mkt simulate --experiment FILE`.

import { dirname, resolve } from "node:path";
import type { SimulationPreset } from "../../protocol/index.ts";
import { readJsonFile } from "../definition/load-definition.ts";
import { BUILT_IN_MARKET } from "./experiment.ts";
import { type ReadExperiment, readExperiment } from "./read-experiment.ts";

/**
 * A file that can't be read or is not JSON gives one fault of one line. Other faults name their path in the file. The
 * market's path is absolute in the result. `presetName` wins over the file's preset.
 */
export function loadExperiment(path: string, presetName?: SimulationPreset): ReadExperiment {
  const file = readJsonFile(path);
  if (!file.ok) return file;
  const read = readExperiment(file.json, presetName);
  if (!read.ok || read.experiment.market === BUILT_IN_MARKET) return read;
  const market = resolve(dirname(path), read.experiment.market);
  return { ok: true, experiment: { ...read.experiment, market } };
}
