// The table of the start that the build has written into this executable.

import type { StartTable } from "./start-table.ts";

/** Defined by the build (scripts/compile.ts). */
declare const BUILT_IN_START_TABLE: StartTable;

/** Null if this process runs from its sources. */
export const START_TABLE: StartTable | null = typeof BUILT_IN_START_TABLE === "undefined" ? null : BUILT_IN_START_TABLE;
