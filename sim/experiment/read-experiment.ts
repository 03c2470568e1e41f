// An experiment from JSON. What the JSON leaves out comes from its preset: single settings in `information` and `trading`,
// also inside their objects, elsewhere whole fields, so a list of personas or events replaces the preset's. Every fault is
// named at once, with its path.

import { z } from "zod";
import { DEFAULT_PRESET, SIMULATION_PRESETS, type SimulationPreset } from "../../protocol/index.ts";
import { isObject } from "../../protocol/json.ts";
import { strategyEntry } from "../strategies/known-strategies.ts";
import type { StrategyEntry } from "../strategies/registry.ts";
import { type Experiment, experiment, experimentFile } from "./experiment.ts";
import calm from "./presets/calm.json" with { type: "json" };
import credit from "./presets/credit.json" with { type: "json" };
import stress from "./presets/stress.json" with { type: "json" };
import thin from "./presets/thin.json" with { type: "json" };
import volatile from "./presets/volatile.json" with { type: "json" };
import { schemaFaults } from "./schema-faults.ts";

export type ReadExperiment =
  | { readonly ok: true; readonly experiment: Experiment }
  | { readonly ok: false; readonly faults: readonly string[] };

type Fields = Readonly<Record<string, unknown>>;

/** The files of the presets: complete experiments. They are imported, so they are part of the executable. */
const PRESET_FILES: Readonly<Record<SimulationPreset, Fields>> = { calm, volatile, stress, thin, credit };

/** Sections whose settings come from the preset one by one. */
const SECTIONS = ["information", "trading"] as const;

/** Pairs of fields of which only one may be given. */
const CHOICES = [["hours", "steps"], ["seed", "seeds"]] as const;

/** `presetName` wins over the JSON's own preset. */
export function readExperiment(json: unknown, presetName?: SimulationPreset): ReadExperiment {
  if (!isObject(json)) return { ok: false, faults: ["experiment: must be an object"] };
  const faults = [
    ...schemaFaults(experimentFile, json),
    ...parameterFaults(json["personas"]),
    ...choiceFaults(json),
  ];
  if (faults.length > 0) return { ok: false, faults };
  const base = presetName ?? presetOf(json);
  const merged = withPreset(json, base === null ? {} : presetFile(base));
  // Settings that fit each by itself may not fit those of the preset.
  const together = schemaFaults(experiment, merged);
  if (together.length > 0) return { ok: false, faults: together };
  return { ok: true, experiment: withParameters(experiment.parse(merged)) };
}

/** As its file says it, without the fields for editors. */
export function presetFile(name: SimulationPreset): Fields {
  const { $schema: _forEditors, ...fields } = PRESET_FILES[name];
  return fields;
}

/** The experiment of a preset. */
export function presetExperiment(name: SimulationPreset): Experiment {
  return withParameters(experiment.parse(presetFile(name)));
}

function withPreset(json: Fields, base: Fields): Fields {
  const { $schema: _forEditors, preset: _preset, ...fields } = json;
  const sections = SECTIONS.map((name): [string, unknown] => {
    return [name, mergedOver(base[name], fields[name], experiment.shape[name])];
  });
  // The name of the preset would name another experiment.
  return { ...base, ...fields, name: fields["name"], ...Object.fromEntries(sections) };
}

/** Objects are merged field by field, other values replaced: also records such as `paces`, so that they can be empty. */
function mergedOver(usual: unknown, given: unknown, schema: z.ZodType | undefined): unknown {
  if (given === undefined) return usual;
  if (!isObject(usual) || !isObject(given) || !(schema instanceof z.ZodObject)) return given;
  const merged = Object.entries(given).map(([name, value]) => {
    return [name, Object.hasOwn(usual, name) ? mergedOver(usual[name], value, schema.shape[name]) : value];
  });
  return { ...usual, ...Object.fromEntries(merged) };
}

function presetOf({ preset }: Fields): SimulationPreset | null {
  if (preset === null) return null;
  return SIMULATION_PRESETS.find((name) => name === preset) ?? DEFAULT_PRESET;
}

/** The faults of the parameters of groups whose strategy is known. */
export function parameterFaults(groups: unknown): string[] {
  return (Array.isArray(groups) ? groups : []).flatMap((group: unknown, index) => {
    const { strategy, parameters }: Fields = isObject(group) ? group : {};
    const entry = entryOf(strategy);
    if (entry === undefined || !isObject(parameters)) return [];
    return schemaFaults(entry.parameters, parameters, ["personas", index, "parameters"]);
  });
}

function choiceFaults(json: Fields): string[] {
  return CHOICES.filter(([one, other]) => json[one] != null && json[other] != null)
    .map(([one, other]) => `${one}: leave out either ${one} or ${other}`);
}

/** With a value for each parameter of each group. */
export function withParameters(read: Experiment): Experiment {
  const personas = read.personas.map((group) => ({
    ...group,
    parameters: entryOf(group.strategy)?.parameters.parse(group.parameters ?? {}),
  }));
  return { ...read, personas };
}

function entryOf(strategy: unknown): StrategyEntry | undefined {
  return typeof strategy === "string" ? strategyEntry(strategy) : undefined;
}
