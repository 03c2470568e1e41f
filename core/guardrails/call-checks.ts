// The checks before any call: the process is not shutting down, frozen or read-only, the connection is up, and the acting
// user holds the permissions. They run before a person is asked, and again after the person has agreed.

import type { Configuration } from "../config/configuration.ts";
import type { ToolContext } from "../tools/context.ts";
import type { Freeze } from "../tools/freeze.ts";
import { ToolError } from "../error.ts";
import { checkRequirements, type Requiring } from "./requirements.ts";
import type { Tool } from "../tools/tool.ts";

/** What the checks depend on, of a tool or of anything else that a pack offers. */
export interface Checked extends Requiring {
  readonly annotations: Pick<Tool["annotations"], "readOnlyHint">;
  readonly allowedInReadOnly?: boolean;
  readonly allowedWhenFrozen?: boolean;
  readonly allowedForViewers?: Tool["allowedForViewers"];
}

/** Throws ToolError `shutting_down`, `frozen` or `read_only`. `ending` aborts when the process begins to end. */
export function checkMayChange(tool: Checked, context: ToolContext, ending: AbortSignal): void {
  if (!tool.annotations.readOnlyHint && ending.aborted) throw shuttingDown();
  checkNotFrozen(tool, context.frozen);
  if (!isOfferedBy(context.configuration, tool)) {
    throw new ToolError(
      "read_only",
      "This server is read-only; nothing was sent.",
      "Reading works. For changes use a server that runs without MKT_READ_ONLY.",
    );
  }
}

/**
 * Throws ToolError `forbidden` if the session of the browser, or the program at a route of a page, only views, and this call
 * may change something. `input` is null for what takes none.
 */
export function checkAccess(
  { annotations, allowedForViewers }: Checked,
  input: Record<string, unknown> | null,
  context: ToolContext,
): void {
  if (context.access !== "view" || annotations.readOnlyHint) return;
  if (input !== null && allowedForViewers?.(input, context) === true) return;
  throw new ToolError(
    "forbidden",
    "This session, or an agent's token, only reads here; nothing was sent.",
    "Sign in for control with a person's token. An agent calls tools by POST /mcp.",
  );
}

/** Throws what `checkMayChange` throws, and ToolError `not_connected` or `forbidden`. */
export function checkMayRun(
  tool: Checked,
  input: Record<string, unknown> | null,
  context: ToolContext,
  ending: AbortSignal,
): void {
  checkMayChange(tool, context, ending);
  checkAccess(tool, input, context);
  checkRequirements(tool, context);
}

/** Under MKT_READ_ONLY only tools that change nothing and tools with `allowedInReadOnly` are offered. */
export function isOfferedBy({ packs }: Configuration, tool: Checked): boolean {
  return !packs.readOnly || tool.annotations.readOnlyHint || tool.allowedInReadOnly === true;
}

export function shuttingDown(): ToolError {
  return new ToolError(
    "shutting_down",
    "This server is shutting down and accepts no more changes; nothing was sent.",
    "Call again once it is back, or use another server.",
  );
}

/** Throws ToolError `frozen`. `frozen` is only called for tools that the kill switch applies to. */
export function checkNotFrozen(tool: Checked, frozen: () => Freeze | null): void {
  if (tool.annotations.readOnlyHint || tool.allowedWhenFrozen === true) return;
  const freeze = frozen();
  if (freeze === null) return;
  const since = freeze.since === null ? "" : ` since ${freeze.since}`;
  const reason = freeze.reason === null ? "no reason was given" : freeze.reason;
  throw new ToolError(
    "frozen",
    `An operator has frozen this server${since} (${reason}); nothing was sent.`,
    "Reading works, and so do connecting, cancelling orders and halting. Only an operator can end the freeze, with `mkt thaw`.",
  );
}
