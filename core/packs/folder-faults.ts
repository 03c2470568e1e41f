// What in MKT_PLUGIN_DIR must not be run, because somebody else could have written it: a folder or file that others on this
// machine may write, and a link out of the folder. Files that are no packs count too, because packs may import them.
//
// Not checked, as in `mkt doctor`: owners, access lists, the folders above, and what a pack imports from elsewhere. On Windows
// nothing is checked. Cost: one system call for each entry.

import { accessSync, constants, lstatSync, readdirSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { fileErrorReason } from "../../common/file-error.ts";

export interface FolderFault {
  readonly path: string;
  readonly reason: string;
}

const WRITTEN_BY_OTHERS = 0o022;

/** Throws if the folder can't be read. */
export function folderFaults(directory: string): FolderFault[] {
  if (process.platform === "win32") return [];
  const root = realpathSync(directory);
  return [...faultOf(directory, writableFault(root)), ...entryFaults(directory, root)];
}

/** Of what is in a folder. A recursive readdir would follow links. */
function entryFaults(folder: string, root: string): FolderFault[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return faultOf(path, linkFault(path, root));
    return [...faultOf(path, writableFault(path)), ...(entry.isDirectory() ? entryFaults(path, root) : [])];
  });
}

function faultOf(path: string, reason: string | null): FolderFault[] {
  return reason === null ? [] : [{ path, reason }];
}

function writableFault(path: string): string | null {
  const { mode } = lstatSync(path);
  if ((mode & WRITTEN_BY_OTHERS) === 0 || isReadOnly(path)) return null;
  const octal = (mode & 0o7777).toString(8).padStart(4, "0");
  return `others on this machine may write it (its mode is ${octal}), and it runs inside mkt: chmod go-w ${path}`;
}

/** What a link inside of the folder leads to is an entry of its own. */
function linkFault(path: string, root: string): string | null {
  try {
    const target = realpathSync(path);
    return target.startsWith(root + sep) ? null : `it is a link out of the folder, to ${target}: copy what it leads to`;
  } catch (error) {
    return `it is a link that leads nowhere: ${fileErrorReason(error)}`;
  }
}

/** Whether the file system takes no writes at all here, as that of a mounted ConfigMap, whatever the mode says. */
function isReadOnly(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EROFS";
  }
}
