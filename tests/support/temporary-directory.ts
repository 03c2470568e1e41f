// Directories that are removed at the end of the test, or of the file, that made them.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "./at-end.ts";

/** The path of a new, empty directory. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "mkt-test-"));
  atEnd(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
