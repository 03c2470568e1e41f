// `mkt doctor` on disk space: in the folder of the call log, in that of the kill switch, and in the engine's data directory
// if it is named.

import { readdirSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileErrorReason } from "../../common/file-error.ts";
import { type Answer, type Finding, severest } from "./finding.ts";

const MEBIBYTE = 1 << 20;

/** What is written to a folder. */
interface DiskUse {
  /** The variable or option that names it. */
  readonly setting: string;
  readonly folder: string;
  /** Free bytes below which an operator should do something. */
  readonly enough: number;
  /** Free bytes below which writing fails, or is about to. */
  readonly least: number;
}

interface DiskSettings {
  /** `stderr`, a path, or null. */
  readonly callLog: string | null;
  readonly freezeFile: string | null;
  /** Null: not named. */
  readonly data: string | null;
}

/** A call is a line of some 200 bytes. */
const CALL_LOG = { enough: 256 * MEBIBYTE, least: MEBIBYTE };
/** A freeze needs one block. */
const FREEZE_FILE = { enough: MEBIBYTE, least: 64 << 10 };
/** With less than its reserve and as much again free, the engine refuses every change (docs/operations.md). */
const DATA = { enough: 1024 * MEBIBYTE, least: 32 * MEBIBYTE };

export function examineDisk(settings: DiskSettings): Finding {
  const subject = "disk space";
  const uses = usesOf(settings);
  if (uses.length === 0) {
    return { subject, state: "off", detail: "no file is written: neither MKT_CALL_LOG nor MKT_FREEZE_FILE is set" };
  }
  return { subject, ...severest(uses.map(examineUse)) };
}

function usesOf({ callLog, freezeFile, data }: DiskSettings): DiskUse[] {
  const uses: DiskUse[] = [];
  if (callLog !== null && callLog !== "stderr") {
    uses.push({ setting: "MKT_CALL_LOG", folder: dirname(callLog), ...CALL_LOG });
  }
  if (freezeFile !== null) uses.push({ setting: "MKT_FREEZE_FILE", folder: dirname(freezeFile), ...FREEZE_FILE });
  // While a checkpoint is written, the old one is still there.
  if (data !== null) {
    uses.push({ setting: "--data", folder: data, least: DATA.least, enough: Math.max(DATA.enough, sizeOf(data)) });
  }
  return uses;
}

/** Bytes of the files in a folder; 0 if it can't be read, which examineUse reports. */
function sizeOf(folder: string): number {
  try {
    const names = readdirSync(folder);
    return names.reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
  } catch (error) {
    if (error instanceof Error && "code" in error) return 0;
    throw error;
  }
}

function examineUse(use: DiskUse): Answer {
  const { setting, folder } = use;
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    return diskFinding(use, { free: bavail * bsize, isOutOfFiles: files > 0 && ffree === 0 });
  } catch (error) {
    return { state: "warning", detail: `${setting}: the space in ${folder} can't be read: ${fileErrorReason(error)}` };
  }
}

/** `free`: bytes that this user may write. */
export function diskFinding(
  { setting, folder, enough, least }: DiskUse,
  { free, isOutOfFiles }: { readonly free: number; readonly isOutOfFiles: boolean },
): Answer {
  const where = `${sizeText(free)} free in ${folder} (${setting})`;
  if (isOutOfFiles) {
    return { state: "failed", detail: `${where}, but its file system takes no more files: delete some` };
  }
  if (free < least) return { state: "failed", detail: `${where}: the disk is full; make ${sizeText(enough)} free` };
  if (free < enough) return { state: "warning", detail: `${where}: make ${sizeText(enough)} free` };
  return { state: "ok", detail: where };
}

function sizeText(bytes: number): string {
  const mebibytes = bytes / MEBIBYTE;
  if (mebibytes < 1) return `${Math.floor(bytes / 1024)} KiB`;
  return mebibytes < 1024 ? `${Math.floor(mebibytes)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`;
}
