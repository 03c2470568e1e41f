// Which packs and tools this configuration offers. pack-choice.ts chooses the packs. MKT_READ_ONLY overrides every other
// setting and leaves only tools that change nothing; routes that change something stay, and answer `read_only`.

import type { Configuration } from "../config/configuration.ts";
import type { AnyEnvironment } from "../../common/environment.ts";
import { isOfferedBy } from "../guardrails/call-checks.ts";
import type { ExternalPacks, PackFailure } from "./external-packs.ts";
import { chosenPacks, packNameFaults, unavailability } from "./pack-choice.ts";
import { ClaimedNames } from "./pack-clashes.ts";
import type { Pack } from "./pack.ts";
import { unknownTools, unusablePrompts } from "./prompt-tools.ts";

/** `packs`: each with its offered tools, in order. */
export interface LoadedPacks extends ExternalPacks {
  /** Faults of MKT_PACKS: a name without a pack, or a pack that is unavailable. */
  readonly nameFaults: readonly string[];
  /** What was loaded and is not offered under this configuration. */
  readonly leftOut: readonly LeftOut[];
}

interface LeftOut {
  /** Such as `pack dev`. */
  readonly what: string;
  readonly reason: string;
}

const NO_PACKS: ExternalPacks = { packs: [], failures: [], warnings: [], secrets: [] };

export async function loadPacks(
  builtIn: readonly Pack[],
  configuration: Configuration,
  environment: AnyEnvironment = {},
): Promise<LoadedPacks> {
  const { directory } = configuration.packs;
  const external = directory === null ? NO_PACKS : await loadFrom(directory, environment);
  const failures: PackFailure[] = [...external.failures];
  const available = withoutClashes(builtIn, external.packs, configuration, failures);
  const chosen = chosenPacks(available, configuration);
  const packs = chosen
    .map((pack) => ({ ...pack, tools: pack.tools.filter((tool) => isOfferedBy(configuration, tool)) }));
  const prompts = unusablePrompts(packs);
  const left = available.filter((pack) => !chosen.includes(pack));
  return {
    packs: packs.map((pack) => ({ ...pack, prompts: pack.prompts.filter((prompt) => !prompts.has(prompt)) })),
    failures,
    nameFaults: nameFaultsOf(available, failures, configuration),
    leftOut: [
      ...left.map((pack) => ({ what: `pack ${pack.name}`, reason: reasonToLeaveOut(pack, configuration) })),
      ...[...prompts].map(([{ name }, reason]) => ({ what: `prompt ${name}`, reason })),
    ],
    warnings: [...external.warnings, ...unknownTools(available)],
    secrets: external.secrets,
  };
}

/** The checks of external packs are only loaded if there are some. */
async function loadFrom(directory: string, environment: AnyEnvironment): Promise<ExternalPacks> {
  const { loadExternalPacks } = await import("./external-packs.ts");
  return await loadExternalPacks(directory, { environment });
}

/**
 * An external pack that clashes is left out whole; the first one with a name wins. A pack that is not chosen claims only its
 * own name.
 */
function withoutClashes(
  builtIn: readonly Pack[],
  external: readonly Pack[],
  configuration: Configuration,
  failures: PackFailure[],
): readonly Pack[] {
  if (external.length === 0) return builtIn;
  const claimed = new ClaimedNames();
  for (const pack of builtIn) claimed.claim(pack);
  const kept = external.filter((pack) => {
    const isChosen = chosenPacks([pack], configuration).length > 0;
    const clashes = isChosen ? claimed.claim(pack) : claimed.claimName(pack);
    if (clashes.length === 0) return true;
    failures.push({ source: pack.origin?.file ?? pack.name, reason: clashes.join("; "), name: pack.name });
    return false;
  });
  return [...builtIn, ...kept];
}

/** A name in MKT_PACKS may be that of a pack that failed, so its reason is part of the fault. */
function nameFaultsOf(
  available: readonly Pack[],
  failures: readonly PackFailure[],
  configuration: Configuration,
): string[] {
  const faults = packNameFaults(available, configuration);
  const isAvailable = (name: string) => available.some((pack) => pack.name === name);
  const unknown = configuration.packs.names?.filter((name) => !isAvailable(name)) ?? [];
  if (unknown.length === 0) return faults;
  const meant = failures.filter(({ name }) => name === undefined || unknown.includes(name));
  return [...faults, ...meant.map(({ source, reason }) => `${source} is not loaded: ${reason}`)];
}

function reasonToLeaveOut(pack: Pack, configuration: Configuration): string {
  return unavailability(pack, configuration) ?? "MKT_PACKS does not name it";
}
