// MKT_CALL_LOG: one JSON line for each tool call, on stderr or appended to a file: caller, tool, acting user, outcome and
// duration.
//
// Secrets never reach the log: it keeps only ids, numbers, booleans and enum values of the arguments (argument-summary.ts),
// and redacts every secret of the configuration. The file is opened for each line, so it can be rotated by renaming it. A
// line that can't be written goes to stderr with the reason.

import { appendFileSync } from "node:fs";
import { fileErrorReason } from "../../common/file-error.ts";
import { safeJsonLine } from "../../common/safe-text.ts";

/** One tool call, for logs and metrics. */
export interface CallRecord {
  readonly tool: string;
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

const REDACTED = "[secret]";

/** Why lines can't be written there; null if they can. Creates the file if it is missing. */
export function callLogFault(target: string): string | null {
  if (target === "stderr") return null;
  try {
    append(target, "");
    return null;
  } catch (error) {
    return `${target} can't be written: ${fileErrorReason(error)}`;
  }
}

export class CallLog {
  /** Throws a one-line error if the file can't be written. */
  constructor(private readonly options: CallLogOptions) {
    const fault = callLogFault(options.target);
    if (fault !== null) throw new Error(`MKT_CALL_LOG: ${fault}`);
  }

  record({ durationMs, ...call }: CallRecord): void {
    const time = new Date(this.options.now()).toISOString();
    const entry = { time, ...call, durationMs: Math.round(durationMs * 1000) / 1000 };
    const line = safeJsonLine(JSON.stringify(entry, this.#withoutSecrets()));
    this.#write(`${line}\n`);
  }

  #withoutSecrets() {
    const secrets = this.options.secrets();
    return (_key: string, value: unknown) =>
      typeof value === "string" ? secrets.reduce((text, secret) => text.replaceAll(secret, REDACTED), value) : value;
  }

  #write(line: string): void {
    const { target } = this.options;
    if (target === "stderr") return void process.stderr.write(line);
    try {
      append(target, line);
    } catch (error) {
      process.stderr.write(`${JSON.stringify({ callLog: target, failed: (error as Error).message })}\n${line}`);
    }
  }
}

/** Creates the file readable by its owner only. */
function append(path: string, text: string): void {
  appendFileSync(path, text, { mode: 0o600 });
}
