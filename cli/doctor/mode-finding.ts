// `mkt doctor` on file modes: which files others on this machine may read or change that should be the owner's alone.
//
// A file that others may change is a fault: they could add a token, end a freeze or change the market. One that
// others may only read is a warning, because mounted secrets often have the mode 0644. Not checked: access lists,
// owners, and the folders above. mkt itself makes its files with mode 0600.

import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileErrorReason } from "../../common/file-error.ts";
import { isCredential } from "../../common/http/token-file.ts";
import { type Answer, type Finding, severest } from "./finding.ts";

interface ModeSettings {
  /** Files with secrets, by variable; null or absent: not set. */
  readonly secretFiles: Readonly<Record<string, string | null | undefined>>;
  /** `stderr`, a path, or null. */
  readonly callLog: string | null;
  readonly freezeFile: string | null;
  /** The engine's data directory; null: not named, or it is none. */
  readonly data: string | null;
}

const READ_BY_OTHERS = 0o044;
const WRITTEN_BY_OTHERS = 0o022;
const WRITTEN_BY_ALL = 0o002;
const STICKY = 0o1000;
const [GROUP, SEARCHED_BY_GROUP] = [0o070, 0o010];
const [ALL, SEARCHED_BY_ALL] = [0o007, 0o001];
/** Names in one finding; the rest are counted. */
const MOST_NAMES = 3;

export function examineModes(settings: ModeSettings): Finding {
  const subject = "file modes";
  if (process.platform === "win32") return { subject, state: "off", detail: "Windows has no file modes" };
  const { secretFiles, callLog, freezeFile, data } = settings;
  const answers = [
    ...Object.entries(secretFiles).map(([setting, path]) => path ? examineFile(setting, path, "its secrets") : null),
    // The first line makes the call log.
    callLog === null || callLog === "stderr" || !existsSync(callLog)
      ? null
      : examineFile("MKT_CALL_LOG", callLog, "who did what"),
    freezeFile === null ? null : examineFreezeFolder(dirname(freezeFile)),
    data === null ? null : examineData(data),
  ].filter((answer) => answer !== null);
  if (answers.length === 0) return { subject, state: "off", detail: "no file is configured" };
  const found = severest(answers);
  return { subject, ...found, detail: found.state === "ok" ? "what is private is the owner's alone" : found.detail };
}

function examineFile(setting: string, path: string, content: string): Answer {
  return looked(setting, path, () => {
    if (isCredential(path)) return { state: "ok", detail: setting };
    const { mode } = statSync(path);
    const facts = `${setting}: ${path} has the mode ${octal(mode)}`;
    if (mode & WRITTEN_BY_OTHERS) {
      return { state: "failed", detail: `${facts}, so others on this machine may change it: chmod 600 ${path}` };
    }
    if (mode & READ_BY_OTHERS) {
      return { state: "warning", detail: `${facts}, so others on this machine may read ${content}: chmod 600 ${path}` };
    }
    return { state: "ok", detail: setting };
  });
}

/** Whoever may write to the folder can remove the file. A group may be meant to. */
function examineFreezeFolder(folder: string): Answer {
  return looked("MKT_FREEZE_FILE", folder, () => {
    const { mode } = statSync(folder);
    if ((mode & WRITTEN_BY_ALL) === 0 || mode & STICKY) return { state: "ok", detail: "MKT_FREEZE_FILE" };
    const detail = `MKT_FREEZE_FILE: ${folder} has the mode ${
      octal(mode)
    }, so everybody on this machine can end a freeze: chmod o-w ${folder}`;
    return { state: "failed", detail };
  });
}

function examineData(folder: string): Answer {
  return looked("--data", folder, () => {
    const folderMode = statSync(folder).mode;
    // Such as /tmp, which other programs need as it is.
    if (folderMode & STICKY) {
      const detail =
        `--data: ${folder} is a folder that others share: stop the engine, and give its files one of their own`;
      return { state: "failed", detail };
    }
    if (folderMode & WRITTEN_BY_OTHERS) {
      return {
        state: "failed",
        detail: `--data: others on this machine may remove files in ${folder}: chmod 700 ${folder}`,
      };
    }
    // Without the right to search the folder nobody reaches the files in it.
    const reached = (folderMode & SEARCHED_BY_GROUP ? GROUP : 0) | (folderMode & SEARCHED_BY_ALL ? ALL : 0);
    const files = readdirSync(folder).flatMap((name) => {
      const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
      return stat?.isFile() ? [{ name, mode: stat.mode & reached }] : [];
    });
    const written = files.filter(({ mode }) => mode & WRITTEN_BY_OTHERS);
    const open = written.length > 0 ? written : files.filter(({ mode }) => mode & READ_BY_OTHERS);
    if (open.length === 0) return { state: "ok", detail: "--data" };
    const names = open.length > MOST_NAMES ? `${open.length} files` : open.map(({ name }) => name).join(", ");
    return {
      state: written.length > 0 ? "failed" : "warning",
      detail: `--data: others on this machine may ${written.length > 0 ? "change" : "read"} ${names} in ${folder}: ` +
        `chmod -R go= ${folder}`,
    };
  });
}

function looked(setting: string, path: string, look: () => Answer): Answer {
  try {
    return look();
  } catch (error) {
    return { state: "warning", detail: `${setting}: the mode of ${path} can't be read: ${fileErrorReason(error)}` };
  }
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, "0");
}
