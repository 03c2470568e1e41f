// `mkt doctor --data`: whether the folder is a data directory at all.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileErrorReason } from "../../common/file-error.ts";
import { JOURNAL_FILE } from "../../engine/journal/journal-tables.ts";
import type { Finding } from "./finding.ts";

/** `folder`: null if it is not named. */
export function examineData(folder: string | null): Finding {
  const subject = "data directory";
  if (folder === null) return { subject, state: "off", detail: "--data is not given: only the engine's host has it" };
  if (existsSync(join(folder, JOURNAL_FILE))) return { subject, state: "ok", detail: folder };
  try {
    if (readdirSync(folder).length === 0) {
      return { subject, state: "off", detail: `${folder} is empty: an engine makes a new market in it` };
    }
  } catch (error) {
    return { subject, state: "failed", detail: `--data: ${folder} can't be read: ${fileErrorReason(error)}` };
  }
  const detail = `--data: ${folder} is not a data directory: it has no ${JOURNAL_FILE}; give the folder that ` +
    "mkt engine --data has";
  return { subject, state: "failed", detail };
}
