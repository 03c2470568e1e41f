// The id of the market that a data directory must have, in a file apart from the directory (`mkt engine --identity FILE`).
//
// Without it a start cannot tell a lost directory from a new one: it makes a new market where clients expect the old one.
// The first start writes the file. Later ones refuse a directory with another market, or with none, and change nothing
// there. A restored market keeps its id.

import { readFileSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { UsageError } from "../../../common/command-line.ts";
import { fileErrorReason } from "../../../common/file-error.ts";
import { changeDurably, makePrivateFile } from "../../journal/private-files.ts";

export class MarketIdentity {
  readonly #path: string;
  readonly #expected: string | null;

  /** Throws UsageError if the file can't be read, or is in the directory itself. */
  constructor(path: string, directory: string) {
    const [first = ""] = relative(resolve(directory), resolve(path)).split(/[/\\]/);
    if (first !== "..") {
      throw new UsageError(`--identity: ${path} would be lost together with ${directory}; name another`);
    }
    this.#path = path;
    this.#expected = contentOf(path);
  }

  /** `found`: the id of the market in the directory; null: there is none. Throws UsageError if it is not the expected one. */
  check(directory: string, found: string | null): void {
    const expected = this.#expected;
    if (expected === null || found === expected) return;
    const holds = found === null ? "no market" : `the market ${found}`;
    const other = found === null ? "begin a new market" : `serve ${found}`;
    throw new UsageError(
      `${directory} holds ${holds}, and ${this.#path} expects ${expected}: name the directory of ${expected}, mount it, or ` +
        `restore a backup of it; to ${other} instead, delete ${this.#path}`,
    );
  }

  /** Expects this market from now on. Throws an Error of one line. */
  remember(engineId: string): void {
    if (this.#expected !== null) return;
    try {
      makePrivateFile(this.#path);
      changeDurably(this.#path, "r+", (file) => writeFileSync(file, `${engineId}\n`));
    } catch (error) {
      throw new Error(`--identity: ${this.#path} can't be written: ${fileErrorReason(error)}`, { cause: error });
    }
  }
}

/** Null if the file is missing or empty, as after a crash of the first start. */
function contentOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim() || null;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new UsageError(`--identity: ${path} can't be read: ${fileErrorReason(error)}`);
  }
}
