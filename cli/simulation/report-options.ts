// What the commands that make reports share: their options, and the command line that a report names.

import { type Command, InvalidArgumentError, type Option } from "commander";
import { resolve } from "node:path";
import { option } from "../../common/options.ts";
import { shellLine } from "../../common/own-invocation.ts";
import { settingText, type Variant } from "../../sim/experiment/grid.ts";
import { varyFrom } from "../../sim/experiment/resolve-experiment.ts";
import { isStrategyPath, strategyNameOf } from "../../sim/outside/strategies/strategy-files.ts";

/** So that the charts of all runs are large enough to read. */
export const MOST_RUNS = 8;
const MOST_BOOKS = 12;

export interface ReportArguments {
  readonly report?: string;
  /** Hours after the start. */
  readonly bookAt?: readonly number[];
}

export function bookAtOption(): Option {
  const what = "report: when to show books, in hours after the start, such as 6h,12h (default: begin, middle, end)";
  return option("--book-at <list>", what, hoursFrom);
}

function hoursFrom(text: string): readonly number[] {
  const parts = text.split(",").map((part) => /^\s*(\d{1,6}(?:\.\d{1,4})?)h\s*$/.exec(part)?.[1]);
  if (parts.length > MOST_BOOKS || parts.some((part) => part === undefined)) {
    throw new InvalidArgumentError(`up to ${MOST_BOOKS} hours after the start, such as 6h,12h`);
  }
  return parts.map(Number);
}

/** Options that say where results go, not what they are. */
const WITHOUT_EFFECT: readonly string[] = [
  "seed",
  "seeds",
  "vary",
  "jobs",
  "out",
  "part",
  "studyWorker",
  "format",
  "tape",
  "tapeFormat",
  "report",
  "bookAt",
  "printExperiment",
];

/** The options as they were given, in the order of their declaration. */
export function givenOptions(command: Command, without: readonly string[]): string[] {
  return command.options.flatMap((each) => {
    const name = each.attributeName();
    if (command.getOptionValueSource(name) !== "cli" || without.includes(name)) return [];
    const value: unknown = command.getOptionValue(name);
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.flatMap((one) => one === true ? [`${each.long}`] : [`${each.long}`, String(one)]);
  });
}

/** The command that repeats a run, whatever was to be written of it. */
export function commandOf(command: Command, seed: number, variant: Variant): string {
  const paths = strategyPathsIn(command.opts<{ readonly vary?: readonly string[] }>().vary ?? []);
  const settings = variant.flatMap(({ value, ...setting }) => [
    "--vary",
    settingText({ ...setting, value: typeof value === "string" ? paths.get(value) ?? value : value }),
  ]);
  const words = ["mkt", command.name(), ...givenOptions(command, WITHOUT_EFFECT), ...settings, "--seed", String(seed)];
  return shellLine(words);
}

/** As they are given in --vary, by the names of their strategies. */
function strategyPathsIn(vary: readonly string[]): ReadonlyMap<string, string> {
  const values = Object.values(varyFrom(vary)).flat().filter((value) => typeof value === "string");
  return new Map(values.flatMap((text): [string, string][] => {
    const name = isStrategyPath(text) ? strategyNameOf(resolve(text)) : undefined;
    return name === undefined ? [] : [[name, text]];
  }));
}
