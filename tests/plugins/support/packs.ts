// Every tool of every pack, and the program that serves them.

import { PACKS } from "../../../plugins/index.ts";
import { INSTRUCTIONS } from "../../../plugins/instructions.ts";

export { PACKS };
export const TOOLS = PACKS.flatMap(({ tools }) => tools);
export const PROGRAM = { packs: PACKS, version: "1.2.3", instructions: INSTRUCTIONS };
