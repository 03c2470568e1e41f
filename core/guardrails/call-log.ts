// MKT_CALL_LOG: one JSON line for each tool call, on stderr or at the end of a file: who called what, as which user, how
// it ended and how long it took.
//
// Secrets never reach it: of the arguments only ids, numbers, flags and choices are kept (argument-summary.ts), and
// whatever equals a secret of the configuration is struck out all the same. A file is opened for every line, so that it
// can be rotated by moving it away; a line that can't be written there goes to stderr, with the reason.

import { appendFileSync } from "node:fs";
import { safeJsonLine } from "../../common/safe-text.ts";

/** Who called what, how it ended and how long it took; for logs and metrics. */
export interface CallRecord {
  readonly tool: string;
  readonly caller: string | null;
  /** The acting user when it ended; null where it is not connected. */
  readonly userId: string | null;
  /** What the call log may keep of them (rails/argument-summary.ts); null where they did not fit or did not matter. */
  readonly arguments: Readonly<Record<string, unknown>> | null;
  /**
   * `ok`, or the error code or status of the failure; `asked` where a person is asked first, `given_up` where the client
   * did not wait.
   */
  readonly outcome: string;
  readonly durationMs: number;
}

export interface CallLogOptions {
  /** `stderr`, or an absolute path. */
  readonly target: string;
  /** Texts that must never appear. */
  readonly secrets: () => readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const STRUCK_OUT = "[secret]";

export class CallLog {
  /** Throws a one-line error where the file can't be written. */
  constructor(private readonly options: CallLogOptions) {
    const { target } = options;
    if (target === "stderr") return;
    try {
      append(target, "");
    } catch (error) {
      throw new Error(`MKT_CALL_LOG can't be written: ${(error as Error).message}`);
    }
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
      typeof value === "string" ? secrets.reduce((text, secret) => text.replaceAll(secret, STRUCK_OUT), value) : value;
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

/** Read by its owner alone. */
function append(path: string, text: string): void {
  appendFileSync(path, text, { mode: 0o600 });
}
