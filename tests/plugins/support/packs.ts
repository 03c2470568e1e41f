// The packs that this folder tests, and every tool in them.

import dev from "../../../plugins/dev/index.ts";
import { INSTRUCTIONS } from "../../../plugins/instructions.ts";
import monitor from "../../../plugins/monitor/index.ts";
import mutation from "../../../plugins/mutation/index.ts";
import query from "../../../plugins/query/index.ts";
import sim from "../../../plugins/sim/index.ts";

export const PACKS = [query, mutation, monitor, sim, dev];
export const TOOLS = PACKS.flatMap(({ tools }) => tools);
export const PROGRAM = { packs: PACKS, version: "1.2.3", instructions: INSTRUCTIONS };
