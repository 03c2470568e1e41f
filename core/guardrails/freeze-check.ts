// What the kill switch refuses: every tool that may change something, of whichever pack, but for those that only make a
// market safer or let one look (Tool.allowedWhenFrozen).

import { ToolError } from "../error.ts";
import type { Tool } from "../tools/tool.ts";
import type { Freeze } from "../tools/context.ts";

/** Throws ToolError `frozen`. `frozen` is asked only where the tool is one that the switch holds for. */
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
