// Directories that are removed at the end of the test, or of the file, that made them.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "./at-end.ts";

/** The path of a new, empty directory. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "mkt-test-"));
  atEnd(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The path of a new file with these lines, which only its owner may read. */
export function tokenFile(...lines: readonly string[]): string {
  const path = join(temporaryDirectory(), "tokens");
  writeFileSync(path, lines.join("\n"), { mode: 0o600 });
  return path;
}
