// The arguments of `mkt simulate`. All faults are reported together.

import { isPresetName, type Preset, PRESET_NAMES, PRESETS } from "../personas/presets.ts";

/** Text as given; undefined if the option is absent. */
export interface GivenArguments {
  readonly seed?: string;
  readonly steps?: string;
  readonly preset?: string;
  readonly format?: string;
}

interface HeadlessArguments {
  readonly seed: number;
  readonly steps: number;
  readonly preset: Preset;
  readonly format: "text" | "json";
}

export const DEFAULT_ARGUMENTS = { seed: "1", steps: "100000", preset: "calm", format: "text" } as const;

const MAX_SEED = 4_294_967_295;
const MAX_STEPS = 1_000_000_000;

export function readHeadlessArguments(
  given: GivenArguments,
): { readonly ok: true; readonly arguments: HeadlessArguments } | {
  readonly ok: false;
  readonly faults: readonly string[];
} {
  const { seed, steps, preset, format } = { ...DEFAULT_ARGUMENTS, ...given };
  const faults: string[] = [];
  if (!isWholeNumber(seed, 0, MAX_SEED)) faults.push(`--seed: a whole number from 0 to ${MAX_SEED}`);
  if (!isWholeNumber(steps, 1, MAX_STEPS)) faults.push(`--steps: a whole number from 1 to ${MAX_STEPS}`);
  if (!isPresetName(preset)) faults.push(`--preset: one of ${PRESET_NAMES.join(", ")}`);
  if (format !== "text" && format !== "json") faults.push("--format: text or json");
  if (faults.length > 0 || !isPresetName(preset)) return { ok: false, faults };
  const settings = { seed: Number(seed), steps: Number(steps), preset: PRESETS[preset] };
  return { ok: true, arguments: { ...settings, format: format === "json" ? "json" : "text" } };
}

function isWholeNumber(text: string, least: number, most: number): boolean {
  return /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most;
}
