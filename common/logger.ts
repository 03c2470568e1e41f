// Logs go to stderr, always: on stdio, stdout carries protocol messages and nothing else.

import { configureSync, getLogger, jsonLinesFormatter, type Logger, type LogRecord } from "@logtape/logtape";
import { safeJsonLine } from "./safe-text.ts";

export type { Logger };

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Sends every log of this process to stderr as JSON lines, from `level` up. Call once, before the first log. */
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

/** Sends console output, as a pack may make it, to stderr too. */
export function keepConsoleOffStdout(): void {
  console.log = console.info = console.debug = console.error;
}

/** The logger of one part, for example `logger("pubsub")`. */
export function logger(part: string): Logger {
  return getLogger(["mkt", part]);
}
