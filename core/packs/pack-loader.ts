// Which packs and tools this configuration offers. MKT_PACKS chooses packs, a pack may say why it is unavailable, and
// MKT_READ_ONLY, which wins over every other setting, leaves only tools that change nothing.

import type { Configuration } from "../config/configuration.ts";
import type { Tool } from "../tools/tool.ts";
import { loadExternalPacks, type PackFailure } from "./external-packs.ts";
import type { Pack } from "./pack.ts";

export interface LoadedPacks {
  /** Each with the tools that are offered, in their order. */
  readonly packs: readonly Pack[];
  /** Packs that could not be loaded; the others serve all the same. */
  readonly failures: readonly PackFailure[];
  /** Names in MKT_PACKS that no pack has: a mistake in the configuration. */
  readonly unknownNames: readonly string[];
}

export async function loadPacks(builtIn: readonly Pack[], configuration: Configuration): Promise<LoadedPacks> {
  const { directory } = configuration.packs;
  const external = directory === null ? { packs: [], failures: [] } : await loadExternalPacks(directory);
  const failures: PackFailure[] = [...external.failures];
  const available = withoutClashes([...builtIn, ...external.packs], failures);
  const packs = chosen(available, configuration, failures)
    .map((pack) => ({ ...pack, tools: pack.tools.filter((tool) => isOffered(tool, configuration)) }));
  const unknownNames = (configuration.packs.names ?? []).filter((name) =>
    !available.some((pack) => pack.name === name)
  );
  return { packs, failures, unknownNames };
}

function chosen(packs: readonly Pack[], configuration: Configuration, failures: PackFailure[]): Pack[] {
  const { names } = configuration.packs;
  return packs.filter((pack) => {
    if (names !== null && !names.includes(pack.name)) return false;
    const reason = pack.unavailable?.(configuration) ?? null;
    if (reason !== null && names !== null) failures.push({ source: pack.name, reason });
    return reason === null;
  });
}

/** The first pack with a name, and the first tool with a name, wins; a pack that clashes is left out whole. */
function withoutClashes(packs: readonly Pack[], failures: PackFailure[]): Pack[] {
  const packNames = new Set<string>();
  const toolNames = new Set<string>();
  return packs.filter((pack) => {
    const names = pack.tools.map((tool) => tool.name);
    const clash = packNames.has(pack.name)
      ? `there is another pack ${pack.name}`
      : duplicateOf(names, toolNames, (name) => `there is another tool ${name}`);
    if (clash !== null) {
      failures.push({ source: pack.name, reason: clash });
      return false;
    }
    packNames.add(pack.name);
    for (const name of names) toolNames.add(name);
    return true;
  });
}

function duplicateOf(names: readonly string[], taken: ReadonlySet<string>, say: (name: string) => string) {
  const duplicate = names.find((name, index) => taken.has(name) || names.indexOf(name) !== index);
  return duplicate === undefined ? null : say(duplicate);
}

function isOffered(tool: Tool, configuration: Configuration): boolean {
  if (!configuration.packs.readOnly) return true;
  return tool.annotations.readOnlyHint || tool.allowedInReadOnly === true;
}
