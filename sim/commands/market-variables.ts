// The variables that only an engine or a simulator reads. In a file of its own, so the MCP server can know them without
// loading the market.

import { ENGINE_ACCESS_VARIABLES } from "../server/http/engine-access.ts";
import { ENGINE_LIMITS } from "../server/limits/engine-limits.ts";

export const MARKET_VARIABLES: readonly string[] = [
  ...ENGINE_ACCESS_VARIABLES,
  ...Object.values(ENGINE_LIMITS).map(({ variable }) => variable),
];
