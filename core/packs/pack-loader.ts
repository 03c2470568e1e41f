// Which packs and tools this configuration offers. pack-choice.ts chooses the packs. MKT_READ_ONLY overrides every other
// setting and leaves only tools that change nothing.

import type { Configuration } from "../config/configuration.ts";
import { isOfferedBy } from "../guardrails/call-checks.ts";
import { loadExternalPacks, type PackFailure } from "./external-packs.ts";
import { chosenPacks, packNameFaults } from "./pack-choice.ts";
import type { Prompt } from "../prompts/prompt.ts";
import type { Pack } from "./pack.ts";

export interface LoadedPacks {
  /** Each with its offered tools, in order. */
  readonly packs: readonly Pack[];
  /** Packs that could not be loaded; the other packs are offered anyway. */
  readonly failures: readonly PackFailure[];
  /** Faults of MKT_PACKS: a name without a pack, or a pack that is unavailable. */
  readonly nameFaults: readonly string[];
}

export async function loadPacks(builtIn: readonly Pack[], configuration: Configuration): Promise<LoadedPacks> {
  const { directory } = configuration.packs;
  const external = directory === null ? { packs: [], failures: [] } : await loadExternalPacks(directory);
  const failures: PackFailure[] = [...external.failures];
  const available = withoutClashes([...builtIn, ...external.packs], failures);
  const packs = chosenPacks(available, configuration)
    .map((pack) => ({ ...pack, tools: pack.tools.filter((tool) => isOfferedBy(configuration, tool)) }));
  return { packs: withUsablePrompts(packs), failures, nameFaults: packNameFaults(available, configuration) };
}

/** A prompt is only offered if all tools that it names are. */
function withUsablePrompts(packs: readonly Pack[]): Pack[] {
  const tools = new Set(packs.flatMap((pack) => pack.tools.map(({ name }) => name)));
  const isUsable = ({ uses = [] }: Prompt) => uses.every((tool) => tools.has(tool));
  return packs.map((pack) => ({ ...pack, prompts: pack.prompts.filter(isUsable) }));
}

/** The first pack and the first tool with a name win. A pack that clashes is left out whole. */
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
