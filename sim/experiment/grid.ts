// The grid of a study: for each varied setting its path in the experiment and the values that it takes, such as
// {"trading.halfSpread": [0.01, 0.02], "personas[0].count": [2, 4]}. Every combination of values is a variant of the
// experiment. The first setting changes slowest, so the order of the variants depends on the text alone.
//
// A path is written personas[0].count or personas.0.count; the second form needs no quotes in a shell.

import { createHash } from "node:crypto";
import { DEFAULT_PRESET, SIMULATION_PRESETS } from "../../protocol/index.ts";
import { choiceFault } from "../../common/command-line.ts";
import { safeText } from "../../common/safe-text.ts";
import { parseJson } from "../../protocol/json.ts";
import { pathText } from "./schema-faults.ts";

type Key = string | number;

interface Axis {
  /** As in `personas[0].count`. */
  readonly path: string;
  readonly keys: readonly Key[];
  readonly values: readonly unknown[];
}

export type Grid = readonly Axis[];

export interface Setting {
  readonly path: string;
  readonly keys: readonly Key[];
  readonly value: unknown;
}

/** One value for each varied setting, in the order of the grid. Empty: the experiment as it is. */
export type Variant = readonly Setting[];

type ReadGrid =
  | { readonly ok: true; readonly grid: Grid }
  | { readonly ok: false; readonly faults: readonly string[] };

const MAX_VARIANTS = 10_000;
const MAX_VALUES = 1000;
const VARIED = [
  ...["preset", "start", "hours", "steps", "information", "trading"],
  ...["personas", "events", "plants", "loads", "batteries"],
] as const;
const PATH = /^[A-Za-z][\w-]*(?:\.(?:[A-Za-z][\w-]*|\d{1,4})|\[\d{1,4}\])*$/;
/** In characters of a file name, which may have 255 bytes. */
const LONGEST_KEY = 180;
const LONGEST_VALUE = 40;
const DIGEST_LENGTH = 10;

/** Checks paths and numbers of values. Whether a value fits the experiment is checked with each variant (variants.ts). */
export function gridFrom(json: Readonly<Record<string, readonly unknown[]>>): ReadGrid {
  const read = Object.entries(json).map(([text, values]) => axisFrom(text, values));
  const axes = read.flatMap(({ axis }) => axis === null ? [] : [axis]);
  const faults = [...read.flatMap(({ faults }) => faults), ...overlapFaults(axes)];
  const count = axes.reduce((product, { values }) => product * values.length, 1);
  if (count > MAX_VARIANTS) faults.push(`gives ${count} combinations; at most ${MAX_VARIANTS}`);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, grid: axes };
}

function axisFrom(text: string, values: readonly unknown[]): { readonly axis: Axis | null; readonly faults: string[] } {
  const keys = keysOf(text);
  if (keys === null) {
    return {
      axis: null,
      faults: [`"${safeText(text, 100)}" is not a path, such as trading.halfSpread or personas[0].count`],
    };
  }
  const path = pathText(keys);
  const faults = [
    ...(VARIED.some((name) => name === keys[0]) ? [] : [`${path}: ${choiceFault(String(keys[0]), VARIED)}`]),
    ...(values.length < 1 || values.length > MAX_VALUES ? [`${path}: needs 1 to ${MAX_VALUES} values`] : []),
    ...repeated(values.map((value) => JSON.stringify(value))).map((value) => `${path}: names ${value} twice`),
  ];
  return { axis: { path, keys, values }, faults };
}

function keysOf(text: string): Key[] | null {
  if (!PATH.test(text)) return null;
  return text.split(/[.[\]]+/).filter((part) => part !== "").map((part) => /^\d+$/.test(part) ? Number(part) : part);
}

function repeated(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text, at) => texts.indexOf(text) !== at))];
}

function overlapFaults(axes: readonly Axis[]): string[] {
  return axes.flatMap((one, at) =>
    axes.slice(at + 1).filter((other) => overlaps(one, other)).map(({ path }) =>
      `${one.path} and ${path}: one contains the other or excludes it; vary one of them`
    )
  );
}

function overlaps({ keys: one }: Axis, { keys: other }: Axis): boolean {
  const heads = [one[0], other[0]];
  if (heads.includes("hours") && heads.includes("steps")) return true;
  return Array.from({ length: Math.min(one.length, other.length) }).every((_, at) => one[at] === other[at]);
}

export function variantsOf(grid: Grid): readonly Variant[] {
  return grid.reduce<readonly Variant[]>(
    (variants, { path, keys, values }) =>
      variants.flatMap((variant) => values.map((value) => [...variant, { path, keys, value }])),
    [[]],
  );
}

/** The preset that the variant takes its other settings from; undefined if it says none. */
export function presetOf(variant: Variant): unknown {
  return variant.find(({ keys }) => keys[0] === "preset")?.value;
}

/** The fault of a preset that is none; null without one. */
export function presetFault(variant: Variant): string | null {
  const preset = presetOf(variant) ?? DEFAULT_PRESET;
  return SIMULATION_PRESETS.some((name) => name === preset)
    ? null
    : `preset: ${choiceFault(String(preset), SIMULATION_PRESETS)}`;
}

/** As in `trading.halfSpread=0.02, personas[0].count=4`. */
export function variantText(variant: Variant): string {
  return variant.map(({ path, value }) => `${path}=${valueText(value)}`).join(", ");
}

/** PATH=VALUE as a word of a command line, without brackets, which a shell would read. */
export function settingText({ keys, value }: Pick<Setting, "keys" | "value">): string {
  return `${keys.join(".")}=${valueText(value)}`;
}

/** A text without quotes, if it is read as the same text. */
function valueText(value: unknown): string {
  const isPlain = typeof value === "string" && Bun.deepEquals(valuesFromText(value), [value]);
  return isPlain ? value : JSON.stringify(value);
}

/** Reads PATH=VALUE,VALUE of the command line; null if it has not this form. */
export function axisFromText(text: string): { readonly path: string; readonly values: readonly unknown[] } | null {
  const [, path, values] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(text) ?? [];
  return path === undefined || values === undefined ? null : { path, values: valuesFromText(values) };
}

/** JSON values, separated by commas. If they are not JSON, each part between commas is JSON or a text. */
function valuesFromText(text: string): readonly unknown[] {
  return parseJson(`[${text}]`) as unknown[] | undefined ??
    text.split(",").map((part) => parseJson(part) ?? part.trim());
}

/**
 * Names a variant in the names of files: it depends on the variant alone, so it is the same in every study. Values that would
 * not fit into a file's name are cut and followed by a digest. Empty for the experiment as it is.
 */
export function variantKey(variant: Variant): string {
  const key = variant.map(({ keys, value }) => `${keys.join(".")}=${valueKey(value)}`).join(",");
  return key.length <= LONGEST_KEY ? key : `${key.slice(0, LONGEST_KEY)}~${digestOf(key + variantText(variant))}`;
}

function valueKey(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // A number or null can't be mistaken for a text: no setting takes both.
  if (/^[\w.+-]*$/.test(text) && text.length <= LONGEST_VALUE) return text;
  return `${text.replaceAll(/[^\w.+-]+/g, "-").slice(0, LONGEST_VALUE)}~${digestOf(JSON.stringify(value))}`;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, DIGEST_LENGTH);
}
