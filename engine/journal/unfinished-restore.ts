// The folder in which a restore of a backup builds a data directory: DIR/restore-unfinished. While it exists, the rest of DIR
// is not to be trusted, and no engine starts there.

import { existsSync } from "node:fs";
import { join } from "node:path";

export const UNFINISHED_RESTORE = "restore-unfinished";

/** Throws if a restore into the directory was begun and not finished. */
export function refuseUnfinishedRestore(directory: string): void {
  if (!existsSync(join(directory, UNFINISHED_RESTORE))) return;
  throw new Error(
    `${directory} holds a restore that is not finished: repeat mkt restore, or delete the directory for a new market`,
  );
}
