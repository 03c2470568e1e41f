// Reads a backup from its beginning to its end, and checks all of it on the way: the order of its lines, the numbers of its
// calls and events, the number of lines of each kind, and the checksum. What it gives counts only once it has ended without a
// BackupFault.
//
// Memory: one line. Bytes after the end of the compressed lines are ignored.

import { z } from "zod";
import { safeText } from "../../common/safe-text.ts";
import { isDeeperThan, isObject } from "../../protocol/json.ts";
import { MAX_DEPTH } from "../../protocol/limits.ts";
import { areAuditLines } from "../api/audit-lines.ts";
import { FORMAT_VERSION } from "../journal/journal-tables.ts";
import { oldestFormat, UPGRADE_STEPS } from "../journal/upgrades/journal-upgrades.ts";
import {
  BACKUP_FORMAT,
  type BackupCounts,
  type BackupDescription,
  backupDescription,
  type BackupEntry,
  BackupFault,
} from "./backup-format.ts";
import { backupLines, damaged, notABackup } from "./backup-lines.ts";

/** Characters that are shown of the version of mkt, which is any text in a forged backup. */
const MAX_VERSION_LENGTH = 60;

const anyDescription = z.object({
  kind: z.literal("mkt backup"),
  format: z.int(),
  mkt: z.string().catch("unknown").transform((version) => safeText(version, MAX_VERSION_LENGTH)),
});
const position = z.int().min(1);
const eventsLine = z.object({ first: position, last: position, lines: z.string().refine(areAuditLines) });
const endLine = z.object({ parts: z.int(), calls: z.int(), blocks: z.int(), sha256: z.string() });

/** `chunks`: the bytes of the backup. Throws BackupFault, and what `chunks` throws. */
export async function* readBackup(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<BackupEntry, void, undefined> {
  const check = new BackupCheck();
  for await (const line of backupLines(chunks)) {
    const entry = check.take(line);
    if (entry !== null) yield entry;
  }
  if (!check.isComplete) throw new BackupFault("is not whole: its end is missing");
}

/** Checks the lines one after the other. */
class BackupCheck {
  readonly #hash = new Bun.CryptoHasher("sha256");
  readonly #counts = { parts: 0, calls: 0, blocks: 0 };
  #description: BackupDescription | null = null;
  #hasHeader = false;
  #lastCall = 0;
  /** Position of the last audit event; null before the first. */
  #lastEvent: number | null = null;
  isComplete = false;

  /** `line`: with its line feed. Null for the last one. */
  take(line: Buffer): BackupEntry | null {
    if (this.isComplete) throw new BackupFault("is damaged: it goes on after its end");
    const text = line.toString("utf8", 0, line.length - 1);
    const named = /^\{"kind":"([a-z]+)"/.exec(text)?.[1];
    if (named === "failed") throw new BackupFault(`is not whole: the engine could not finish it: ${reasonIn(text)}`);
    const kind = this.#description === null ? "description" : named;
    if (kind === "end") return this.#end(text);
    this.#hash.update(line);
    switch (kind) {
      case "description":
        this.#description = descriptionOf(text);
        this.#lastCall = this.#description.checkpoint ?? 0;
        return { kind, description: this.#description };
      case "header":
        return this.#header(text);
      case "part":
        return this.#part(text);
      case "call":
        return this.#call(text);
      case "events":
        return this.#events(text);
      default:
        throw damaged("a line that no backup has");
    }
  }

  #header(text: string): BackupEntry {
    if (this.#hasHeader) throw damaged("it has two headers");
    this.#hasHeader = true;
    const header = valueIn(text, '{"kind":"header","value":');
    const value = jsonOf(header);
    if (!isObject(value) || isDeeperThan(MAX_DEPTH, value)) throw damaged("its header can't be read");
    return { kind: "header", text: header };
  }

  #part(text: string): BackupEntry {
    const isExpected = this.#described.checkpoint !== null && this.#counts.calls + this.#counts.blocks === 0;
    if (!isExpected) throw damaged("a part of a checkpoint is not in its place");
    this.#counts.parts += 1;
    return { kind: "part", text: valueIn(text, '{"kind":"part","value":') };
  }

  #call(text: string): BackupEntry {
    const number = ++this.#lastCall;
    if (number > this.#described.upTo || this.#counts.blocks > 0) throw damaged(`call ${number} is not in its place`);
    this.#counts.calls += 1;
    return { kind: "call", number, text: valueIn(text, `{"kind":"call","number":${number},"value":`) };
  }

  #events(text: string): BackupEntry {
    const events = parsed(eventsLine, text);
    const { first, last } = events;
    const follows = this.#lastEvent === null || first === this.#lastEvent + 1;
    if (!follows || last < first || last > this.#described.auditPosition) {
      throw damaged(`audit events ${first} to ${last} are not in their place`);
    }
    this.#lastEvent = last;
    this.#counts.blocks += 1;
    return { kind: "events", ...events };
  }

  #end(text: string): null {
    const { sha256, ...counts } = parsed(endLine, text);
    const { upTo, auditPosition, checkpoint } = this.#described;
    const isSame = (Object.keys(this.#counts) as (keyof BackupCounts)[]).every((each) =>
      counts[each] === this.#counts[each]
    );
    if (sha256 !== this.#hash.digest("hex")) throw damaged("its checksum is wrong");
    const hasAll = this.#lastCall === upTo && (this.#lastEvent ?? auditPosition) === auditPosition &&
      (checkpoint === null || this.#counts.parts > 0);
    if (!isSame || !this.#hasHeader || !hasAll) throw damaged("it does not have what its first line says");
    this.isComplete = true;
    return null;
  }

  get #described(): BackupDescription {
    if (this.#description === null || !this.#hasHeader) throw damaged("its header is missing");
    return this.#description;
  }
}

function descriptionOf(text: string): BackupDescription {
  const any = anyDescription.safeParse(jsonOf(text));
  if (!any.success) throw notABackup();
  const { format, mkt } = any.data;
  if (format !== BACKUP_FORMAT) {
    throw new BackupFault(
      `has format ${format} and was made by mkt ${mkt}; this mkt reads format ${BACKUP_FORMAT}; ${useIts(mkt)}`,
    );
  }
  const description = { ...parsed(backupDescription, text), mkt };
  const { journalFormat, upTo, checkpoint } = description;
  const isNewer = journalFormat > FORMAT_VERSION;
  if (isNewer || journalFormat < oldestFormat(UPGRADE_STEPS)) {
    throw new BackupFault(
      `has a journal of format ${journalFormat} and was made by mkt ${mkt}; this mkt reads format ${FORMAT_VERSION}; ` +
        (isNewer ? useIts(mkt) : `use mkt ${mkt}`),
    );
  }
  if ((checkpoint ?? 0) > upTo) throw damaged("its first line contradicts itself");
  return description;
}

function useIts(mkt: string): string {
  return `use mkt ${mkt} or a newer one`;
}

function valueIn(text: string, prefix: string): string {
  if (!text.startsWith(prefix) || !text.endsWith("}")) throw damaged("a line is not as it was written");
  return text.slice(prefix.length, -1);
}

function parsed<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const result = schema.safeParse(jsonOf(text));
  if (!result.success) throw damaged("a line is not as it was written");
  return result.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonIn(text: string): string {
  return safeText(parsed(z.object({ reason: z.string() }), text).reason);
}
