// The settings of a run: what the start request gives, and defaults for the rest.

import { DEFAULT_PRESET, type SimulationPreset, type StartSimulationRequest } from "../../protocol/index.ts";

export interface RunSettings {
  readonly preset: SimulationPreset;
  /** Null: those of the preset. */
  readonly personas: StartSimulationRequest["personas"] | null;
  readonly seed: number;
  /** Null: the speed of market time stays. */
  readonly speed: number | null;
}

export function settingsOf({ preset, personas, seed, speed }: StartSimulationRequest): RunSettings {
  return {
    preset: preset ?? DEFAULT_PRESET,
    personas: personas ?? null,
    seed: seed ?? randomSeed(),
    speed: speed ?? null,
  };
}

/** The first setting that the request gives and that differs; null if none does. `speed`: the present speed of market time. */
export function differenceFrom(
  settings: RunSettings & { readonly speed: number },
  request: StartSimulationRequest,
): keyof StartSimulationRequest | null {
  for (const name of ["preset", "personas", "seed", "speed"] as const) {
    const requested = request[name];
    if (requested !== undefined && !Bun.deepEquals(requested, settings[name])) return name;
  }
  return null;
}

export function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
