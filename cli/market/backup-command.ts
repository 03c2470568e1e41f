// `mkt backup OUT` asks an engine for a backup while it runs. `mkt restore BACKUP` makes a data directory of one, or checks it.

import type { Command } from "commander";
import { dirname } from "node:path";
import { oneLine, untilSignal, UsageError } from "../../common/command-line.ts";
import { OutputClosed, print, printNote, write } from "../../common/output.ts";
import { type BackupEngine, requestBackup } from "../../engine/backup/backup-client.ts";
import { BackupFile, type BackupOutput } from "../../engine/backup/backup-file.ts";
import { type BackupDescription, BackupFault } from "../../engine/backup/backup-format.ts";
import { readBackup } from "../../engine/backup/backup-reader.ts";
import { checkBackup, restoreBackup } from "../../engine/backup/restore.ts";

interface BackupArguments {
  readonly force?: true;
  /** False: --no-check. */
  readonly check: boolean;
}

interface RestoreArguments {
  readonly data?: string;
  readonly check?: true;
}

/** `engine`: the engine that the configuration names. Throws UsageError if it names none. */
export function addBackupCommands(program: Command, engine: () => BackupEngine): void {
  program.command("backup")
    .description("a backup of the market while the engine runs; for operators (MKT_HOST, MKT_USER_ID, ...)")
    .argument("<out>", "file for the backup; - writes to stdout")
    .option("--force", "replace an existing file")
    .option("--no-check", "don't restore the file into a temporary folder beside it, to see that it can be")
    .action(async (out: string, options: BackupArguments) => await backUp(engine(), out, options));
  program.command("restore")
    .description("make a data directory of a backup, or check the backup")
    .argument("<backup>", "file that mkt backup wrote")
    .option("--data <directory>", "a new or empty directory, for mkt engine --data")
    .option("--check", "only restore it into a temporary folder (of TMPDIR), and say what it has")
    .action(async (backup: string, given: RestoreArguments) => await restore(backup, given));
}

async function backUp(engine: BackupEngine, out: string, { force, check }: BackupArguments): Promise<void> {
  const isStdout = out === "-";
  if (isStdout && process.stdout.isTTY) throw new UsageError("out: a backup is no text for a terminal: name a file");
  const output = isStdout ? STDOUT : new BackupFile(out, { replace: force === true });
  const ended = new AbortController();
  void untilSignal().then(() => ended.abort(new Error("interrupted")));
  let bytes = 0;
  const copied = async function* () {
    for await (const chunk of requestBackup(engine, ended.signal)) {
      await output.write(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  try {
    const description = await checked(copied());
    ended.signal.throwIfAborted();
    await output.finish(async (path) => {
      if (check) await checkBackup(path, Date.now, dirname(path));
      ended.signal.throwIfAborted();
    });
    const line = `${isStdout ? "stdout" : out}: ${describe(description)}; ${bytes} bytes`;
    if (isStdout) printNote(line);
    else await print(line);
  } catch (error) {
    await output.discard();
    if (error instanceof UsageError) throw error;
    const { message } = error as Error;
    const reason = error instanceof BackupFault ? `the backup ${message}` : message;
    const consequence = isStdout ? "what was written is no backup" : `${out} was not written`;
    throw new Error(`${reason}; ${consequence}`, { cause: error });
  }
}

/** Reads the whole backup. Throws BackupFault, and what `chunks` throws. */
async function checked(chunks: AsyncIterable<Uint8Array>): Promise<BackupDescription> {
  let description: BackupDescription | null = null;
  for await (const entry of readBackup(chunks)) {
    if (entry.kind === "description") description = entry.description;
  }
  if (description === null) throw new BackupFault("is empty");
  return description;
}

async function restore(backup: string, { data, check }: RestoreArguments): Promise<void> {
  if (check && data !== undefined) throw new UsageError("--check: only reads the backup; leave out --data");
  if (check) return await print(`${backup}: a whole backup: ${describe(await checkBackup(backup, Date.now))}`);
  if (data === undefined || data === "") {
    throw new UsageError("--data: is required: a new or empty directory; or use --check");
  }
  const { description } = await restoreBackup(backup, data, Date.now);
  await print(
    `${data}: restored ${describe(description)}\n` +
      `What was confirmed later is not in it. Clients reload the market. Next: mkt engine --data ${data}`,
  );
}

function describe(description: BackupDescription): string {
  const { engineId, upTo, sequence, marketTime, time, auditPosition, mkt } = description;
  const point = `up to record ${upTo}, event ${sequence}, audit event ${auditPosition}, market time ${marketTime}`;
  return oneLine(`engine ${engineId} ${point}; taken at ${time} by mkt ${mkt}`);
}

const STDOUT: BackupOutput = {
  write: async (bytes) => {
    try {
      await write(bytes);
    } catch (error) {
      if (error instanceof OutputClosed) throw new Error("nobody reads stdout any more", { cause: error });
      throw error;
    }
  },
  finish: async () => {},
  discard: async () => {},
};
