// A file system of a few megabytes that a test can fill. Making it needs the program `mount` and permission to mount.

import { appendFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  readonly path: string;
  /** Takes all the free space. */
  fill(): void;
  /** Frees the space that `fill` took. */
  empty(): void;
  remove(): void;
}

/**
 * False if this process may not mount, as in most containers, or if there is no program `mount`; then it prints that `tests`
 * are skipped. With MKT_TEST_ALL a missing program is an error instead; a missing permission is not, because a container
 * often can't grant it.
 */
export function canMakeSmallDisks(tests: string): boolean {
  const hasProgram = Bun.which("mount") !== null;
  if (!hasProgram && process.env["MKT_TEST_ALL"] === "1") {
    throw new Error("MKT_TEST_ALL=1, but there is no program mount");
  }
  const disk = hasProgram ? mounted(1) : null;
  if (disk === null) console.log(`skipped: ${tests} need the program mount and permission to mount`);
  disk?.remove();
  return disk !== null;
}

/** Throws if this process can't make one. */
export function smallDisk(megabytes: number): SmallDisk {
  const disk = mounted(megabytes);
  if (disk === null) throw new Error("a small disk could not be mounted");
  return disk;
}

/** Null if the program `mount` fails. */
function mounted(megabytes: number): SmallDisk | null {
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
