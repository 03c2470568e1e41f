import { readdirSync, readlinkSync } from "node:fs";
import { relative } from "node:path";

/** Whether this system tells which files a process has open. */
export const TELLS_OPEN_FILES = process.platform === "linux";

/** The files below a directory that this process has open, each as often as it is open; also those that were deleted. */
export function openFilesIn(directory: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    const path = relative(directory, pathOf(descriptor));
    return path.startsWith("..") || path === "" ? [] : [path.replace(/ \(deleted\)$/, "")];
  }).toSorted();
}

function pathOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // Another thread has closed it, or it was the one that listed them.
    return "/";
  }
}
