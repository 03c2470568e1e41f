// The answer of a route as JSON, in which text from the market is escaped as in a tool's result.

import { safeJson } from "../../common/safe-text.ts";

export function jsonAnswer(value: object): Response {
  return new Response(safeJson(value), { headers: { "Content-Type": "application/json" } });
}
