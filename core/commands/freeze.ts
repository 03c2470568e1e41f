// `mkt freeze [reason]` and `mkt thaw`: the operator's kill switch, on the host of the server.

import { oneLine } from "../../common/command-line.ts";
import { FreezeFile } from "../guardrails/freeze-file.ts";

/** Returns the message for the operator. Throws if it could not freeze. */
export function freeze(path: string, reason: string): string {
  const file = new FreezeFile(path);
  file.freeze(reason);
  if (file.read() === null) throw new Error(`NOT frozen: ${path} does not exist`);
  return `frozen: every server with MKT_FREEZE_FILE=${path} refuses changes from its next call on, until mkt thaw`;
}

/** Returns the message for the operator. Throws if it is still frozen. */
export function thaw(path: string): string {
  const file = new FreezeFile(path);
  const wasFrozen = file.thaw();
  const left = file.read();
  if (left !== null) throw new Error(`still frozen: ${oneLine(left.reason ?? path)}`);
  return wasFrozen ? "thawed" : "it was not frozen";
}
