// What must hold for a call to be carried out, whatever the tool: the process takes changes, is not frozen and not
// read-only, the connection is there, and the acting user holds the permissions. Checked before a person is asked and again
// after they agreed: none of it may have changed meanwhile.

import type { Configuration } from "../config/configuration.ts";
import type { ToolContext } from "../tools/context.ts";
import { ToolError } from "../error.ts";
import { checkRequirements } from "./requirements.ts";
import type { Tool } from "../tools/tool.ts";
import { checkNotFrozen } from "./freeze-check.ts";

/** Throws ToolError `shutting_down`, `frozen` or `read_only`. `ending` aborts when the process begins to end. */
export function checkMayChange(tool: Tool, context: ToolContext, ending: AbortSignal): void {
  if (!tool.annotations.readOnlyHint && ending.aborted) throw shuttingDown();
  checkNotFrozen(tool, context.frozen);
  if (!isOfferedBy(context.configuration, tool)) {
    throw new ToolError(
      "read_only",
      "This server is read-only; nothing was sent.",
      "Reading works; for changes use a server that runs without MKT_READ_ONLY.",
    );
  }
}

/** Throws what `checkMayChange` throws, and ToolError `not_connected` or `forbidden`. */
export function checkMayRun(tool: Tool, context: ToolContext, ending: AbortSignal): void {
  checkMayChange(tool, context, ending);
  checkRequirements(tool, context);
}

/** MKT_READ_ONLY leaves tools that change nothing, and those that a pack may except. */
export function isOfferedBy({ packs }: Configuration, tool: Tool): boolean {
  return !packs.readOnly || tool.annotations.readOnlyHint || tool.allowedInReadOnly === true;
}

export function shuttingDown(): ToolError {
  return new ToolError(
    "shutting_down",
    "This server is shutting down and takes no more changes; nothing was sent.",
    "Call again once it is back, or use another server.",
  );
}
