// Strategies of an experiment that are named by the paths of their files, such as "./mine.ts", relative to the folder of the
// experiment's file. They are loaded before the experiment is read, and read as the names that they declare.

import { dirname, resolve } from "node:path";
import { oneLine } from "../../common/command-line.ts";
import { errorMessage } from "../../common/error-message.ts";
import { readJsonFile } from "../../engine/definition/load-definition.ts";
import type { Experiment } from "./experiment.ts";
import {
  addStrategyFile,
  isStrategyPath,
  strategyNameOf,
  strategyPathOf,
} from "../outside/strategies/strategy-files.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Why files could not be loaded, by their absolute paths. */
const failures = new Map<string, string>();

/** Loads the strategies that an experiment file names by path. Faults are told when the file is read. */
export async function loadStrategiesOf(path: string): Promise<void> {
  const file = readJsonFile(path);
  if (!file.ok) return;
  for (const group of groupsOf(file.json)) {
    const strategyPath = pathOf(group, dirname(path));
    if (strategyPath === null || strategyNameOf(strategyPath) !== undefined) continue;
    try {
      await addStrategyFile(strategyPath);
    } catch (error) {
      failures.set(strategyPath, errorMessage(error));
    }
  }
}

/** The JSON with names in place of paths. A group whose file could not be loaded gives a fault, and is left out. */
export function withStrategyNames(
  json: unknown,
  folder: string,
): { readonly json: unknown; readonly faults: string[] } {
  const faults: string[] = [];
  const personas = groupsOf(json).flatMap((group, index) => {
    const path = pathOf(group, folder);
    if (path === null) return [group];
    const name = strategyNameOf(path);
    if (name !== undefined) return [{ ...group as Fields, strategy: name }];
    const reason = failures.get(path) ?? "was not loaded";
    faults.push(oneLine(`personas[${index}].strategy: ${String((group as Fields)["strategy"])}: ${reason}`));
    return [];
  });
  if (personas.length === 0 && faults.length === 0) return { json, faults };
  return { json: { ...json as Fields, personas }, faults };
}

/** The experiment with absolute paths in place of the names of strategies from files, so its text means the same run. */
export function withStrategyPaths<Each extends Experiment>(experiment: Each): Each {
  const personas = experiment.personas.map((group) => ({
    ...group,
    strategy: strategyPathOf(group.strategy) ?? group.strategy,
  }));
  return { ...experiment, personas };
}

function groupsOf(json: unknown): readonly unknown[] {
  const personas = typeof json === "object" && json !== null ? (json as Fields)["personas"] : undefined;
  return Array.isArray(personas) ? personas : [];
}

/** The absolute path of the group's strategy; null if it is not named by a path. */
function pathOf(group: unknown, folder: string): string | null {
  const strategy = typeof group === "object" && group !== null ? (group as Fields)["strategy"] : undefined;
  return typeof strategy === "string" && isStrategyPath(strategy) ? resolve(folder, strategy) : null;
}
