// The variables that only an engine or a simulator reads. In a file of its own, so the MCP server can know them without
// loading the market.

import { ENGINE_ACCESS_VARIABLES, TOKEN_SETTINGS } from "../../common/http/guards/engine-access.ts";
import { ENGINE_LIMITS } from "../../common/http/guards/engine-limits.ts";
import type { OtherVariables } from "../../core/config/variables.ts";

/** A limit is no guardrail here: it has a default, and engine-limits.ts refuses one that is mistyped. */
export const MARKET_VARIABLES: OtherVariables = {
  known: [...ENGINE_ACCESS_VARIABLES, ...Object.values(ENGINE_LIMITS).map(({ variable }) => variable)],
  guardrails: [TOKEN_SETTINGS.file],
};

/** The connections that an engine accepts with this environment: the default if the variable is wrong, which its start says. */
export function engineConnections(environment: Readonly<Record<string, string | undefined>>): number {
  const { variable, default: usual } = ENGINE_LIMITS.connections;
  const given = Number(environment[variable] || usual);
  return Number.isInteger(given) && given > 0 ? given : usual;
}
