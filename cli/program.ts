// What is built into this executable.

import type { CommandLineProgram } from "./configured.ts";
import { START_TABLE } from "../core/start/start-table.ts";
import packageJson from "../package.json" with { type: "json" };
import { PACKS } from "../plugins/index.ts";
import { INSTRUCTIONS } from "../plugins/instructions.ts";
import { engineConnections, MARKET_VARIABLES } from "./market/market-variables.ts";

export const PROGRAM: CommandLineProgram = {
  packs: PACKS,
  version: packageJson.version,
  instructions: INSTRUCTIONS,
  marketVariables: MARKET_VARIABLES,
  engineConnections,
  table: START_TABLE,
  replicas: () => import("../replicas/join-replicas.ts"),
};
