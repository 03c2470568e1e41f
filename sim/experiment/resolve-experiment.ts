// The experiment that a command line means: a file or a preset, changed by flags, with its market. The faults of flags,
// experiment file and market file are named all together; those of a file begin with its path, those of a flag with its
// name.

import { dirname, resolve } from "node:path";
import type { z } from "zod";
import { oneLine } from "../../common/command-line.ts";
import { DEFAULT_PRESET, type SimulationPreset } from "../../protocol/index.ts";
import { BUILT_IN_MARKET, builtInMarketNamed, isBuiltInMarket } from "../../engine/definition/built-in-markets.ts";
import type { CheckedDefinition } from "../../engine/definition/check-definition.ts";
import { loadDefinition, readJsonFile } from "../../engine/definition/load-definition.ts";
import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { experimentFaults } from "./check-experiment.ts";
import { axisFromText } from "./grid.ts";
import { type CompactList, eventsFromText, personasFromText } from "./compact-lists.ts";
import { DEFAULT_SEED, DEFAULT_STEPS, type Experiment, experiment } from "./experiment.ts";
import { presetExperiment, type ReadExperiment, readExperiment, withParameters } from "./read-experiment.ts";
import { schemaFaults } from "./schema-faults.ts";
import { seedsFromText } from "./seeds.ts";
import { startTimeOf } from "./start-time.ts";
import { withStrategyNames } from "./strategy-paths.ts";

/** Each wins over the file. */
export interface ExperimentFlags {
  /** Path of a file. */
  readonly experiment?: string;
  readonly preset?: SimulationPreset;
  /** Path of a file, or the name of a built-in market. */
  readonly market?: string;
  readonly start?: string;
  readonly seed?: number;
  /** Of a study. */
  readonly seeds?: string;
  /** The grid of a study, a PATH=VALUE,VALUE each (grid.ts). */
  readonly vary?: readonly string[] | undefined;
  readonly steps?: number;
  readonly hours?: number;
  /** In short form (compact-lists.ts). */
  readonly events?: string;
  readonly personas?: string;
}

/** With every choice made: the same experiment gives the same run, or study. */
export interface CompleteExperiment extends Experiment {
  readonly start: string;
  /** Of a study: the first seed. */
  readonly seed: number;
}

export type ResolvedExperiment =
  | { readonly ok: true; readonly experiment: CompleteExperiment; readonly definition: MarketDefinition }
  | { readonly ok: false; readonly faults: readonly string[] };

/** Flags that make another experiment of it, so that its name has to tell. */
const CHANGES = ["preset", "market", "start", "personas", "events"] as const;

export function resolveExperiment(flags: ExperimentFlags): ResolvedExperiment {
  const base = baseOf(flags);
  const { fields, faults: ofFlags } = readFlags(flags);
  const market = flags.market ?? (base.ok ? base.experiment.market : BUILT_IN_MARKET);
  const loaded = marketAt(market);
  if (!base.ok || !loaded.ok || ofFlags.length > 0) {
    const faults = [...(base.ok ? [] : base.faults), ...ofFlags, ...(loaded.ok ? [] : loaded.faults)];
    return { ok: false, faults };
  }
  const { definition } = loaded;
  const changed = withParameters({ ...base.experiment, ...fields, name: nameOf(base.experiment, flags) });
  const faults = experimentFaults(changed, definition, startOf(changed, definition));
  if (faults.length > 0) return { ok: false, faults: faults.map((fault) => sourceOf(fault, flags)) };
  return { ok: true, experiment: completeExperiment(changed, definition), definition };
}

/** `definition` is the experiment's market. */
export function completeExperiment(given: Experiment, definition: MarketDefinition): CompleteExperiment {
  const start = new Date(startOf(given, definition)).toISOString();
  const steps = given.hours === null ? given.steps ?? DEFAULT_STEPS : null;
  const [first = DEFAULT_SEED] = seedsOf(given);
  return { ...given, start, seed: given.seed ?? first, steps };
}

/** The seeds of a study; empty for a single run. */
export function seedsOf({ seeds }: Pick<Experiment, "seeds">): readonly number[] {
  const list = seeds === null ? null : seedsFromText(seeds);
  return list?.ok === true ? list.seeds : [];
}

function startOf({ start }: Experiment, definition: MarketDefinition): number {
  return start === null ? startTimeOf(definition) : Date.parse(start);
}

function baseOf({ experiment: path, preset }: ExperimentFlags): ReadExperiment {
  if (path === undefined) return { ok: true, experiment: presetExperiment(preset ?? DEFAULT_PRESET) };
  const loaded = loadExperiment(path, preset);
  return loaded.ok ? loaded : { ok: false, faults: loaded.faults.map((fault) => oneLine(`${path}: ${fault}`)) };
}

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
  if (!read.ok || isBuiltInMarket(read.experiment.market)) return read;
  const market = resolve(dirname(path), read.experiment.market);
  return { ok: true, experiment: { ...read.experiment, market } };
}

function marketAt(path: string): CheckedDefinition {
  const builtIn = builtInMarketNamed(path);
  if (builtIn !== null) return { ok: true, definition: builtIn };
  const loaded = loadDefinition(path);
  return loaded.ok ? loaded : { ok: false, faults: loaded.faults.map((fault) => oneLine(`${path}: ${fault}`)) };
}

/** What the flags change, and their faults. */
function readFlags(flags: ExperimentFlags): { readonly fields: Partial<Experiment>; readonly faults: string[] } {
  const { market, start, seed, seeds, steps, hours } = flags;
  const personas = flags.personas === undefined ? undefined : personasFromText(flags.personas);
  const events = flags.events === undefined ? undefined : eventsFromText(flags.events);
  const faults = [
    ...(hours === undefined || steps === undefined ? [] : ["--hours and --steps: give one of them"]),
    ...(seed === undefined || seeds === undefined ? [] : ["--seed and --seeds: give one of them"]),
    ...flagFaults("--seeds", seeds, experiment.shape.seeds),
    ...varyFaults(flags.vary ?? []),
    ...withStrategyNames({ vary: varyFrom(flags.vary ?? []) }, ".").faults.map((fault) => `--${fault}`),
    ...flagFaults("--start", start, experiment.shape.start),
    ...listFaults("--personas", personas, experiment.shape.personas),
    ...listFaults("--events", events, experiment.shape.events),
  ];
  if (faults.length > 0) return { fields: {}, faults };
  const fields: Partial<Experiment> = {
    ...(market === undefined ? {} : { market: isBuiltInMarket(market) ? market : resolve(market) }),
    ...(start === undefined ? {} : { start }),
    ...(seed === undefined && seeds === undefined ? {} : { seed: seed ?? null, seeds: seeds ?? null }),
    ...(flags.vary === undefined ? {} : { vary: namedGrid(flags.vary) }),
    ...(hours === undefined && steps === undefined ? {} : { hours: hours ?? null, steps: steps ?? null }),
    ...(personas === undefined ? {} : { personas: experiment.shape.personas.parse(jsonOf(personas)) }),
    ...(events === undefined ? {} : { events: experiment.shape.events.parse(jsonOf(events)) }),
  };
  return { fields, faults };
}

/** The grid of the flags of --vary, as it is written; those that are wrong are left out. */
export function varyFrom(texts: readonly string[]): Record<string, unknown[]> {
  return Object.fromEntries(
    texts.map(axisFromText).flatMap((axis) => axis === null ? [] : [[axis.path, [...axis.values]]]),
  );
}

/** With names in place of the paths of strategies. */
function namedGrid(texts: readonly string[]): Record<string, unknown[]> {
  return (withStrategyNames({ vary: varyFrom(texts) }, ".").json as { vary: Record<string, unknown[]> }).vary;
}

function varyFaults(texts: readonly string[]): string[] {
  const paths = texts.map((text) => axisFromText(text)?.path);
  return [
    ...texts.filter((text) => axisFromText(text) === null).map((text) =>
      `--vary: "${oneLine(text)}" is not PATH=VALUE,VALUE, such as trading.halfSpread=0.01,0.02`
    ),
    ...paths.filter((path, at) => path !== undefined && paths.indexOf(path) !== at).map((path) =>
      `--vary: ${oneLine(path ?? "")} is given twice`
    ),
    ...flagFaults("--vary", texts.length === 0 ? undefined : namedGrid(texts), experiment.shape.vary),
  ];
}

function flagFaults(flag: string, value: unknown, schema: z.ZodType): string[] {
  return value === undefined ? [] : schemaFaults(schema, value).map((fault) => `${flag}: ${fault}`);
}

/** Faults of the single items, and if there are none, of the list. */
function listFaults(flag: string, list: CompactList | undefined, schema: z.ZodArray): string[] {
  if (list === undefined) return [];
  const ofItems = list.items.flatMap(({ name, json }) =>
    schemaFaults(schema.element as z.ZodType, json).map((fault) => `${oneLine(name)}: ${fault}`)
  );
  const faults = [...list.faults, ...ofItems];
  return (faults.length > 0 ? faults : schemaFaults(schema, jsonOf(list))).map((fault) => `${flag}: ${fault}`);
}

function jsonOf({ items }: CompactList): unknown[] {
  return items.map(({ json }) => json);
}

function nameOf({ name }: Experiment, flags: ExperimentFlags): string {
  const isOwnPreset = flags.experiment === undefined;
  const changes = CHANGES.filter((flag) => flags[flag] !== undefined && !(flag === "preset" && isOwnPreset));
  return changes.length === 0 ? name : `${name}, with other ${changes.join(", ")}`;
}

/** The fault with the flag or the file that it comes from. */
function sourceOf(fault: string, flags: ExperimentFlags): string {
  const field = /^\w+/.exec(fault)?.[0] ?? "";
  const isFlag = Object.hasOwn(flags, field) && flags[field as keyof ExperimentFlags] !== undefined;
  if (isFlag) return `--${fault}`;
  return flags.experiment === undefined || !/^\w+[[.:]/.test(fault) ? fault : oneLine(`${flags.experiment}: ${fault}`);
}
