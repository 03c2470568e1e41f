// Which packs a configuration chooses: those that MKT_PACKS names, or all, without those that are unavailable. Loads no
// library, because the start on stdio uses it before the packs are loaded.

import { didYouMean } from "../../common/command-line.ts";
import type { Configuration } from "../config/configuration.ts";

/** A setting that a built-in pack needs. It is data, so the build can write it into the executable. */
export interface NeededSetting {
  readonly setting: "stressTestSecret" | "dashboard";
  /** Why the pack can't be offered without it. */
  readonly reason: string;
}

/** What the choice depends on. */
export interface Choosable {
  readonly name: string;
  readonly needs?: NeededSetting;
  readonly unavailable?: (configuration: Configuration) => string | null;
}

export function chosenPacks<Each extends Choosable>(packs: readonly Each[], configuration: Configuration): Each[] {
  const { names } = configuration.packs;
  return packs.filter((pack) =>
    (names === null || names.includes(pack.name)) && unavailability(pack, configuration) === null
  );
}

/** Such a fault ends the start, since a server that offers less than MKT_PACKS names would hide the mistake. */
export function packNameFaults(available: readonly Choosable[], configuration: Configuration): string[] {
  return (configuration.packs.names ?? []).flatMap((name) => {
    const pack = available.find((candidate) => candidate.name === name);
    if (pack === undefined) {
      const names = available.map((one) => one.name);
      return [`there is no pack ${name}${didYouMean(name, names)}; the packs are ${names.join(", ")}`];
    }
    const reason = unavailability(pack, configuration);
    return reason === null ? [] : [`the pack ${name} can't be loaded: ${reason}`];
  });
}

/** Why the pack can't be offered under this configuration, or null. */
export function unavailability({ needs, unavailable }: Choosable, configuration: Configuration): string | null {
  if (needs !== undefined && !configuration[needs.setting]) return needs.reason;
  return unavailable?.(configuration) ?? null;
}
