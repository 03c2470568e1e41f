// The kill switch refuses every tool that may change something, except those with `allowedWhenFrozen`, which only make the
// market safer or connect.

import { ToolError } from "../error.ts";
import type { Tool } from "../tools/tool.ts";
import type { Freeze } from "../tools/context.ts";

/** Throws ToolError `frozen`. `frozen` is only called for tools that the kill switch applies to. */
export function checkNotFrozen(tool: Tool, frozen: () => Freeze | null): void {
  if (tool.annotations.readOnlyHint || tool.allowedWhenFrozen === true) return;
  const freeze = frozen();
  if (freeze === null) return;
  const since = freeze.since === null ? "" : ` since ${freeze.since}`;
  const reason = freeze.reason === null ? "no reason was given" : freeze.reason;
  throw new ToolError(
    "frozen",
    `An operator has frozen this server${since} (${reason}); nothing was sent.`,
    "Reading works, and so do connecting, cancelling orders and halting. Only an operator can go on, with `mkt thaw`.",
  );
}
