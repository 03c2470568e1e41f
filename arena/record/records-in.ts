// The complete records in a folder, and in the folders in it.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileErrorReason } from "../../common/file-error.ts";
import { isFinished } from "./episode-record.ts";

/** Paths of their folders, by name. Throws an Error of one line if there is none. */
export function recordsIn(folder: string): string[] {
  const found = foldersIn(folder);
  if (found.length === 0) throw new Error(`${folder}: has no complete record of an episode`);
  return found;
}

function foldersIn(folder: string): string[] {
  if (isFinished(folder)) return [folder];
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return entries.map(({ name }) => join(folder, name)).toSorted().flatMap(foldersIn);
  } catch (error) {
    throw new Error(`${folder}: ${fileErrorReason(error)}`, { cause: error });
  }
}
