// Strategies of an experiment that are named by the paths of their files, such as "./mine.ts", relative to the folder of the
// experiment's file or, in --vary, to the working directory: in groups of personas, and among the values of a grid. They are
// loaded before the experiment is read, and read as the names that they declare.

import { dirname, resolve } from "node:path";
import { oneLine } from "../../common/command-line.ts";
import { errorMessage } from "../../common/error-message.ts";
import { readJsonFile } from "../../engine/definition/load-definition.ts";
import { isObject } from "../../protocol/json.ts";
import type { Experiment } from "./experiment.ts";
import {
  addStrategyFile,
  isStrategyPath,
  strategyNameOf,
  strategyPathOf,
} from "../outside/strategies/strategy-files.ts";

/** Why files could not be loaded, by their absolute paths. */
const failures = new Map<string, string>();

/** Loads the strategies that an experiment file names by path. Faults are told when the file is read. */
export async function loadStrategiesOf(path: string): Promise<void> {
  const file = readJsonFile(path);
  if (file.ok) await loadStrategiesIn(file.json, dirname(path));
}

/** The same for the JSON of an experiment, or of a part of it, whose paths are relative to `folder`. */
export async function loadStrategiesIn(json: unknown, folder: string): Promise<void> {
  const paths = new Set<string>();
  withStrategies(json, (text) => {
    if (isStrategyPath(text)) paths.add(resolve(folder, text));
    return text;
  });
  for (const path of paths) {
    if (strategyNameOf(path) !== undefined) continue;
    try {
      await addStrategyFile(path);
    } catch (error) {
      failures.set(path, errorMessage(error));
    }
  }
}

/** The JSON with names in place of paths. A file that could not be loaded gives a fault, and its group is left out. */
export function withStrategyNames(
  json: unknown,
  folder: string,
): { readonly json: unknown; readonly faults: string[] } {
  const faults: string[] = [];
  const named = withStrategies(json, (text, place) => {
    if (!isStrategyPath(text)) return text;
    const path = resolve(folder, text);
    const name = strategyNameOf(path);
    if (name === undefined) faults.push(oneLine(`${place}: ${text}: ${failures.get(path) ?? "was not loaded"}`));
    return name;
  });
  return { json: named, faults };
}

/** The experiment with absolute paths in place of the names of strategies from files, so its text means the same run. */
export function withStrategyPaths<Each extends Experiment>(experiment: Each): Each {
  return withStrategies(experiment, (name) => strategyPathOf(name) ?? name) as Each;
}

/** What a strategy is called instead; undefined: its group is left out. */
type Renamed = (text: string, place: string) => string | undefined;

function withStrategies(json: unknown, renamed: Renamed): unknown {
  if (!isObject(json)) return json;
  const { personas, vary } = json;
  return {
    ...json,
    ...(Array.isArray(personas) ? { personas: inGroups(personas, "personas", renamed) } : {}),
    ...(isObject(vary) ? { vary: inGrid(vary, (text, place) => renamed(text, place) ?? text) } : {}),
  };
}

function inGrid(grid: Readonly<Record<string, unknown>>, renamed: Renamed): Readonly<Record<string, unknown>> {
  const axes = Object.entries(grid);
  return Object.fromEntries(
    axes.map(([path, values]) => [path, Array.isArray(values) ? inValues(path, values, renamed) : values]),
  );
}

/** The values of a path of the grid. */
function inValues(path: string, values: readonly unknown[], renamed: Renamed): unknown {
  const place = `vary: ${path}`;
  const [field, index, member, ...more] = path.split(/[.[\]]+/).filter((key) => key !== "");
  if (field !== "personas" || more.length > 0) return values;
  if (index === undefined) return values.map((list) => Array.isArray(list) ? inGroups(list, place, renamed) : list);
  if (member === undefined) return inGroups(values, place, renamed);
  if (member !== "strategy") return values;
  return values.map((value) => typeof value === "string" ? renamed(value, place) : value);
}

function inGroups(groups: readonly unknown[], place: string, renamed: Renamed): unknown[] {
  return groups.flatMap((group, index) => {
    if (!isObject(group) || typeof group["strategy"] !== "string") return [group];
    const strategy = renamed(group["strategy"], `${place}[${index}].strategy`);
    return strategy === undefined ? [] : [{ ...group, strategy }];
  });
}
