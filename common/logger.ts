// Logs always go to stderr, because stdout carries the protocol messages of MCP over stdio.

import { configureSync, getLogger, jsonLinesFormatter, type Logger, type LogRecord } from "@logtape/logtape";
import type { LogLevel } from "./log-levels.ts";
import { Redaction } from "./redaction.ts";
import { safeJsonLine } from "./safe-text.ts";

export type { Logger };

/** What may be in no text of a log line: as it is, and as it is quoted within a message. */
let hidden: readonly string[] = [];
const redaction = new Redaction(() => hidden);

/** Replaces these texts in all later log records. */
export function hideInLogs(secrets: readonly string[]): void {
  hidden = secrets.flatMap((secret) => [JSON.stringify(secret).slice(1, -1), secret]);
}

function lineOf(record: LogRecord): string {
  const json = jsonLinesFormatter(record).trimEnd();
  return safeJsonLine(hidden.length === 0 ? json : redaction.jsonOf(JSON.parse(json) as object));
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
