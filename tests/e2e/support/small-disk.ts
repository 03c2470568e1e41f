// A file system of a few megabytes, which a test may fill. It takes the right to mount.

import { appendFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  readonly path: string;
  /** Takes all the room that there is. */
  fill(): void;
  /** Gives it back. */
  empty(): void;
  remove(): void;
}

/** Null if this process may not mount. */
export function smallDisk(megabytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), "mkt-disk-"));
  const { exitCode } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path]);
  if (exitCode !== 0) {
    rmSync(path, { recursive: true });
    return null;
  }
  const filler = join(path, "filler");
  return {
    path,
    fill: () => {
      for (let bytes = 1 << 20; bytes >= 512;) {
        try {
          appendFileSync(filler, new Uint8Array(bytes));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
          bytes = Math.floor(bytes / 2);
        }
      }
      statSync(filler);
    },
    empty: () => rmSync(filler, { force: true }),
    remove: () => {
      Bun.spawnSync(["umount", "-l", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
