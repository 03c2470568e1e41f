// Every tool of every pack, and the program that serves them.

import type { Program } from "../../../core/runtime.ts";
import { PACKS } from "../../../plugins/index.ts";
import { INSTRUCTIONS } from "../../../plugins/instructions.ts";

export { PACKS };
export const TOOLS = PACKS.flatMap(({ tools }) => tools);
export const PROGRAM: Program = {
  packs: PACKS,
  version: "1.2.3",
  instructions: INSTRUCTIONS,
  replicas: () => import("../../../replicas/join-replicas.ts"),
};
