// Logs always go to stderr, because stdout carries the protocol messages of MCP over stdio.

import { configureSync, getLogger, jsonLinesFormatter, type Logger, type LogRecord } from "@logtape/logtape";
import type { LogLevel } from "./log-levels.ts";
import { safeJsonLine } from "./safe-text.ts";

export type { Logger };

/** Writes all log records from `level` up to stderr, as JSON lines. Call once, before the first log. */
export function configureLogging(level: LogLevel): void {
  configureSync({
    reset: true,
    sinks: {
      stderr: (record: LogRecord) =>
        void process.stderr.write(`${safeJsonLine(jsonLinesFormatter(record).trimEnd())}\n`),
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
