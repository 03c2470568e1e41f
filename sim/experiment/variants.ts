// The experiment of each variant of a study: the experiment that the command line means, with some settings set. Each variant
// is checked like an experiment from a file, before anything runs.
//
// Cost: about a millisecond for each variant that is checked.

import type { SimulationPreset } from "../../protocol/index.ts";
import { oneLine } from "../../common/command-line.ts";
import { isObject } from "../../protocol/json.ts";
import { experimentFaults } from "./check-experiment.ts";
import { type Experiment, experiment as schema } from "./experiment.ts";
import {
  type Grid,
  gridFrom,
  presetFault,
  presetOf,
  type Setting,
  type Variant,
  variantsOf,
  variantText,
} from "./grid.ts";
import { parameterFaults, withParameters } from "./read-experiment.ts";
import {
  completeExperiment,
  type ExperimentFlags,
  type ResolvedExperiment,
  resolveExperiment,
} from "./resolve-experiment.ts";
import { pathText, schemaFaults } from "./schema-faults.ts";

type Fields = Readonly<Record<string, unknown>>;

const LONGEST_NAME = 200;

/** The grid of an experiment that has been checked. */
export function gridOf({ vary }: Pick<Experiment, "vary">): Grid {
  const read = gridFrom(vary ?? {});
  if (!read.ok) throw new Error(`a checked experiment has a wrong grid: ${read.faults.join("; ")}`);
  return read.grid;
}

export class Variants {
  readonly grid: Grid;
  readonly all: readonly Variant[];
  /** By the preset that the variants name. */
  readonly #bases = new Map<unknown, ResolvedExperiment>();

  /** `flags`: those that gave `base`. */
  constructor(
    private readonly flags: ExperimentFlags,
    private readonly base: ResolvedExperiment & { readonly ok: true },
  ) {
    this.grid = gridOf(base.experiment);
    this.all = variantsOf(this.grid);
  }

  /** One line for each fault. A fault of a value is named once, however many variants have the value. */
  faults(): string[] {
    const faults = new Set<string>();
    const texts = new Map<string, Variant>();
    for (const variant of this.all) {
      const resolved = this.resolve(variant);
      if (!resolved.ok) {
        for (const fault of resolved.faults) faults.add(`vary: ${oneLine(sourceOf(fault, variant))}`);
      } else if (faults.size === 0) {
        const text = JSON.stringify({ ...resolved.experiment, name: "" });
        const same = texts.get(text);
        if (same !== undefined) {
          faults.add(`vary: ${oneLine(`${variantText(same)} and ${variantText(variant)}`)} give the same experiment`);
        }
        texts.set(text, variant);
      }
    }
    return [...faults];
  }

  /** The experiment of the variant, without the grid and the seeds. */
  resolve(variant: Variant): ResolvedExperiment {
    const wrongPreset = presetFault(variant);
    if (wrongPreset !== null) return { ok: false, faults: [wrongPreset] };
    const base = this.#baseOf(variant);
    if (!base.ok) return base;
    const { definition } = base;
    if (variant.length === 0) return { ...base, experiment: { ...base.experiment, vary: null, seeds: null } };
    const settings = variant.filter(({ keys }) => keys[0] !== "preset");
    const whole: Fields = { ...base.experiment, vary: null, seeds: null, name: this.#nameOf(variant) };
    const { json, faults } = withSettings(whole, settings);
    const wrong = [...faults, ...schemaFaults(schema, json), ...parameterFaults(json["personas"])];
    if (wrong.length > 0) return { ok: false, faults: wrong };
    const changed = completeExperiment(withParameters(schema.parse(json)), definition);
    const unfit = experimentFaults(changed, definition, Date.parse(changed.start));
    return unfit.length > 0 ? { ok: false, faults: unfit } : { ok: true, experiment: changed, definition };
  }

  #baseOf(variant: Variant): ResolvedExperiment {
    const preset = presetOf(variant);
    if (preset === undefined) return this.base;
    const known = this.#bases.get(preset) ??
      resolveExperiment({ ...this.flags, vary: undefined, preset: preset as SimulationPreset });
    this.#bases.set(preset, known);
    return known;
  }

  /** Another experiment under the same name would be mistaken for it. */
  #nameOf(variant: Variant): string {
    const preset = presetOf(variant);
    const isOwnPreset = this.flags.experiment === undefined && preset !== undefined;
    const { name } = isOwnPreset ? { name: String(preset) } : this.base.experiment;
    const said = isOwnPreset ? variant.filter(({ keys }) => keys[0] !== "preset") : variant;
    const text = said.length === 0 ? name : `${name}, with ${oneLine(variantText(said))}`;
    return [...text].length <= LONGEST_NAME ? text : `${[...text].slice(0, LONGEST_NAME - 3).join("")}...`;
  }
}

/** The fault with the value that causes it, or else with the whole variant. */
function sourceOf(fault: string, variant: Variant): string {
  const isUnder = (path: string, other: string) =>
    path.startsWith(other) && /^($|[.[:])/.test(path.slice(other.length));
  const [place = ""] = /^[\w.[\]-]*/.exec(fault) ?? [];
  const cause = variant.find(({ path }) => isUnder(place, path) || isUnder(path, place));
  return cause === undefined ? `${variantText(variant)}: ${fault}` : `${variantText([cause])}: ${fault}`;
}

function withSettings(fields: Fields, settings: Variant): { readonly json: Fields; readonly faults: string[] } {
  const faults: string[] = [];
  const set = (json: Fields, { keys, value }: Setting): Fields => {
    const result = withValue(json, keys, value, []);
    if (result.ok) return result.json as Fields;
    faults.push(result.fault);
    return json;
  };
  return {
    json: settings.reduce((json, setting) => set(withoutRivals(json, setting, settings), setting), fields),
    faults,
  };
}

/** Without what the setting replaces: the other length, and the parameters of the strategy before. */
function withoutRivals(json: Fields, { keys }: Setting, settings: Variant): Fields {
  const [field, index, member] = keys;
  if (field === "hours") return { ...json, steps: null };
  if (field === "steps") return { ...json, hours: null };
  const groups = json["personas"];
  if (field !== "personas" || member !== "strategy" || !Array.isArray(groups)) return json;
  const isSet = settings.some(({ keys: [, at, name] }) => at === index && name === "parameters");
  // Parameters that are varied by themselves are checked against the new strategy.
  if (isSet) return json;
  return {
    ...json,
    personas: groups.map((group: Fields, at) => at === index ? { ...group, parameters: undefined } : group),
  };
}

type Changed = { readonly ok: true; readonly json: unknown } | { readonly ok: false; readonly fault: string };

/** A copy with the value at the path. */
function withValue(
  json: unknown,
  keys: readonly (string | number)[],
  value: unknown,
  before: (string | number)[],
): Changed {
  const [key, ...rest] = keys;
  if (key === undefined) return { ok: true, json: value };
  const path = [...before, key];
  const refused = (why: string): Changed => ({ ok: false, fault: `${pathText(path)}: ${why}` });
  if (typeof key === "number") {
    if (!Array.isArray(json)) return refused(`${pathText(before)} is not a list`);
    if (key >= json.length) return refused(`the list has ${json.length} entries, counted from 0`);
    const inner = withValue(json[key], rest, value, path);
    return inner.ok ? { ok: true, json: json.with(key, inner.json) } : inner;
  }
  if (!isObject(json)) {
    return refused(`${pathText(before)} is ${json === undefined ? "absent" : "not an object"}: vary it as a whole`);
  }
  const inner = withValue(json[key], rest, value, path);
  return inner.ok ? { ok: true, json: { ...json, [key]: inner.json } } : inner;
}
