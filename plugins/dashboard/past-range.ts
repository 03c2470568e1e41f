// The range of time that a request about the past names: `from` is included, `to` is not.

import { ToolError } from "../../core/error.ts";

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;

/** Milliseconds since 1970. Throws ToolError `invalid_input`. */
export function rangeOf(parameters: URLSearchParams): { readonly from: number; readonly to: number } {
  const from = timeOf(parameters, "from");
  const to = timeOf(parameters, "to");
  if (from < to) return { from, to };
  throw new ToolError("invalid_input", "The range is empty: from is not before to.", "Give a from that is before to.");
}

function timeOf(parameters: URLSearchParams, name: string): number {
  const text = parameters.get(name) ?? "";
  const time = TIME.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(time)) return time;
  throw new ToolError(
    "invalid_input",
    `${name}: ${JSON.stringify(text)} is no time.`,
    "Give an ISO time in UTC, such as 2026-03-01T18:00:00Z.",
  );
}
