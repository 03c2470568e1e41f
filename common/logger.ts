// Logs always go to stderr, because stdout carries the protocol messages of MCP over stdio.

import { configureSync, getLogger, jsonLinesFormatter, type Logger, type LogRecord } from "@logtape/logtape";
import type { LogLevel } from "./log-levels.ts";
import { safeJsonLine } from "./safe-text.ts";

export type { Logger };

/** What may not be in a log line, as it would be in its JSON: in a property, and quoted in the message. */
let hidden: readonly string[] = [];

/** Replaces these texts in all later log records with `[secret]`. */
export function hideInLogs(secrets: readonly string[]): void {
  hidden = secrets.flatMap((secret) => {
    const once = JSON.stringify(secret).slice(1, -1);
    return [JSON.stringify(once).slice(1, -1), once];
  });
}

function lineOf(record: LogRecord): string {
  const json = jsonLinesFormatter(record).trimEnd();
  return safeJsonLine(hidden.reduce((line, secret) => line.replaceAll(secret, "[secret]"), json));
}

/** Writes all log records from `level` up to stderr, as JSON lines. Call once, before the first log. */
export function configureLogging(level: LogLevel): void {
  configureSync({
    reset: true,
    sinks: {
      stderr: (record: LogRecord) => void process.stderr.write(`${lineOf(record)}\n`),
    },
    loggers: [
      { category: "mkt", lowestLevel: level === "warn" ? "warning" : level, sinks: ["stderr"] },
      { category: ["logtape", "meta"], lowestLevel: "error", sinks: ["stderr"] },
    ],
  });
}

/** The logger of one part of the program, for example `logger("pubsub")`. */
export function logger(part: string): Logger {
  return getLogger(["mkt", part]);
}
