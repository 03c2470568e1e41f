// Reads the experiment from the JSON file of `mkt simulate --experiment FILE`.

import { dirname, resolve } from "node:path";
import type { SimulationPreset } from "../../protocol/index.ts";
import { readJsonFile } from "../../engine/definition/load-definition.ts";
import { BUILT_IN_MARKET } from "./experiment.ts";
import { withStrategyNames } from "./strategy-paths.ts";
import { type ReadExperiment, readExperiment } from "./read-experiment.ts";

/**
 * A file that can't be read or is not JSON gives one fault of one line. Other faults name their path in the file. The
 * market's path is absolute in the result. Strategies that are named by path must have been loaded (`loadStrategiesOf`).
 * `presetName` wins over the file's preset.
 */
export function loadExperiment(path: string, presetName?: SimulationPreset): ReadExperiment {
  const file = readJsonFile(path);
  if (!file.ok) return file;
  const { json, faults } = withStrategyNames(file.json, dirname(path));
  const read = readExperiment(json, presetName);
  if (faults.length > 0) return { ok: false, faults: [...faults, ...(read.ok ? [] : read.faults)] };
  if (!read.ok || read.experiment.market === BUILT_IN_MARKET) return read;
  const market = resolve(dirname(path), read.experiment.market);
  return { ok: true, experiment: { ...read.experiment, market } };
}
