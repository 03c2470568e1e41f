// Whether the files that an engine has open are still where they were opened.
//
// An open file outlives its name. If somebody deletes or moves the files of an engine, it goes on writing without an error,
// and everything it writes is gone when it ends. So each path is compared with the file that was found there first, by device
// and inode.
//
// A path without a file is known from the first look that finds one: SQLite makes its log with the first write. Not noticed:
// a file that was overwritten in place.

import { statSync } from "node:fs";
import { join } from "node:path";
import { fileErrorReason } from "../../common/file-error.ts";

export class OpenFiles {
  readonly #directory: string;
  readonly #names: () => readonly string[];
  /** Device and inode by path. */
  readonly #known = new Map<string, string>();

  /** `names`: of the files in the directory that are open now. A file keeps its name while it is open. */
  constructor(directory: string, names: () => readonly string[]) {
    this.#directory = directory;
    this.#names = names;
    this.fault();
  }

  /** What is no longer in its place, for people; null if everything is. Takes a few microseconds for each file. */
  fault(): string | null {
    const fault = this.#faultOf(this.#directory);
    if (fault !== null) return `the directory ${fault}`;
    for (const name of this.#names()) {
      const fault = this.#faultOf(join(this.#directory, name));
      if (fault !== null) return `${name} ${fault}`;
    }
    return null;
  }

  #faultOf(path: string): string | null {
    let found: string | null;
    try {
      found = identityOf(path);
    } catch (error) {
      return `can't be looked at: ${fileErrorReason(error)}`;
    }
    const known = this.#known.get(path);
    if (found === known) return null;
    if (known !== undefined) return found === null ? "is missing" : "is another one";
    if (found !== null) this.#known.set(path, found);
    return null;
  }
}

/** Null if there is nothing at the path. */
function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}
