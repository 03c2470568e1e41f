// The table of the start: what this executable answers to a client's first requests. The build writes it into the executable
// (scripts/start-table.ts), with the SDK's own answers, so they are the same bytes.

import type { Configuration } from "../config/configuration.ts";
import { entriesJson, type ToolEntry } from "../dispatch/tool-entry.ts";
import { type Choosable, chosenPacks } from "../packs/pack-choice.ts";

export interface StartTable {
  readonly initialize: {
    /** The protocol versions up to 2025-11-25 that the server speaks. */
    readonly versions: readonly string[];
    /** The answer to a client that asks for any other version. */
    readonly otherwise: string;
    /** The JSON text of the result after the value of `protocolVersion`. */
    readonly end: string;
  };
  /** The JSON text of the result of server/discover. */
  readonly discover: string;
  /** The JSON text of the result of tools/list after `tools`. */
  readonly listEnd: { readonly legacy: string; readonly modern: string };
  readonly packs: readonly StartPack[];
}

interface StartPack extends Choosable {
  readonly name: string;
  readonly tools: readonly StartTool[];
}

interface StartTool extends ToolEntry {
  /** Whether the tool is offered under MKT_READ_ONLY. */
  readonly inReadOnly: boolean;
}

/** The JSON text of `tools` in the answer to tools/list. */
export function offeredToolsJson({ packs }: StartTable, configuration: Configuration): string {
  const tools = chosenPacks(packs, configuration).flatMap((pack) => pack.tools);
  const offered = configuration.packs.readOnly ? tools.filter(({ inReadOnly }) => inReadOnly) : tools;
  return entriesJson(offered, configuration.outputSchemas);
}

/** The entries of all built-in tools, by name. */
export function entriesOf({ packs }: StartTable): ReadonlyMap<string, ToolEntry> {
  return new Map(packs.flatMap(({ tools }) => tools.map((tool) => [tool.name, tool])));
}

/** Defined by the build (scripts/compile.ts). */
declare const BUILT_IN_START_TABLE: StartTable;

/** Null if this process runs from its sources. */
export const START_TABLE: StartTable | null = typeof BUILT_IN_START_TABLE === "undefined" ? null : BUILT_IN_START_TABLE;
