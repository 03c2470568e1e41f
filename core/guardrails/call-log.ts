// MKT_CALL_LOG: one JSON line for each tool call, and for each other request that a pack answers, on stderr or appended to a
// file (log-file.ts): caller, what was asked for, acting user, outcome and duration. The line is written before the client has
// its answer.
//
// Secrets never reach the log: it keeps only ids, numbers, booleans and enum values of the arguments (argument-summary.ts,
// logged-parameters.ts), and redacts every secret of the configuration (common/redaction.ts). A line that can't be written
// goes to stderr with the reason.

import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { errorMessage } from "../../common/error-message.ts";
import { fileErrorReason } from "../../common/file-error.ts";
import { isoTime } from "../../common/iso-time.ts";
import { thousandths } from "../../common/rounding.ts";
import { safeJsonLine } from "../../common/safe-text.ts";
import { LogFile } from "./log-file.ts";
import { Redaction } from "../../common/redaction.ts";

/** What a client asks of packs besides tool calls. */
export type RequestKind = "resource" | "prompt" | "completion" | "subscription" | "route";

/** Recorded instead of a name that the client made up, which must not become a metric label. */
export const NOT_OFFERED = "(not offered)";

/** One tool call, for logs and metrics. */
export interface CallRecord extends Observed {
  readonly tool: string;
}

/** One request of another kind. */
export interface RequestRecord extends Observed {
  readonly kind: RequestKind;
  /** The URI or its template, the name of the prompt, the method and path of the route, or NOT_OFFERED. */
  readonly name: string;
}

interface Observed {
  readonly caller: string | null;
  /** The acting user; null if not connected. */
  readonly userId: string | null;
  /** Without anything that could be a secret (argument-summary.ts); null if they were invalid or not checked. */
  readonly arguments: Readonly<Record<string, unknown>> | null;
  /**
   * `ok`, or the error code or status of the failure. `asked` if a person is asked first, `given_up` if the client did not
   * wait.
   */
  readonly outcome: string;
  readonly durationMs: number;
}

interface CallLogOptions {
  /** `stderr`, or an absolute path. */
  readonly target: string;
  /** Texts to redact. */
  readonly secrets: () => readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Why lines can't be written there; null if they can. Does not create the file: a command such as `mkt doctor`, run by root,
 * would leave one that the server can't write.
 */
export function callLogFault(target: string): string | null {
  if (target === "stderr") return null;
  const file = new LogFile(target);
  try {
    if (existsSync(target)) file.open();
    else accessSync(`${dirname(target)}/.`, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return `${target} can't be written: ${fileErrorReason(error)}`;
  } finally {
    file.close();
  }
}

export class CallLog {
  /** Null: lines go to stderr. */
  readonly #file: LogFile | null;
  readonly #redaction: Redaction;
  readonly #now: () => number;

  /** Throws a one-line error if the file can't be written. */
  constructor({ target, secrets, now }: CallLogOptions) {
    const fault = callLogFault(target);
    if (fault !== null) throw new Error(`MKT_CALL_LOG: ${fault}`);
    this.#file = target === "stderr" ? null : new LogFile(target);
    this.#redaction = new Redaction(secrets);
    this.#now = now;
  }

  /** The line is written when this returns. */
  record(record: CallRecord | RequestRecord): void {
    this.#write(this.#lineOf(record));
  }

  #lineOf(record: CallRecord | RequestRecord): string {
    const { caller, userId, arguments: given, outcome, durationMs } = record;
    const json = this.#redaction.jsonOf({
      time: isoTime(this.#now()),
      ...("tool" in record ? { tool: record.tool } : { [record.kind]: record.name }),
      caller,
      userId,
      arguments: given,
      outcome,
      durationMs: thousandths(durationMs),
    });
    return safeJsonLine(json);
  }

  #write(line: string): void {
    if (this.#file === null) return void process.stderr.write(`${line}\n`);
    try {
      this.#file.append(line, this.#now());
    } catch (error) {
      const { path } = this.#file;
      process.stderr.write(`${JSON.stringify({ callLog: path, failed: errorMessage(error) })}\n${line}\n`);
    }
  }
}
