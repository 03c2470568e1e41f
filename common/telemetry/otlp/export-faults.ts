// What goes wrong when traces or metrics are sent, as warnings in the log: the first one at once, then at most one in ten
// minutes, with the number of those between. A line has the status of the receiver's answer, not its body, and none of the
// headers sent to it.
//
// OpenTelemetry has one place for this in a process, so all receivers of a process share it.

import { diag, type DiagLogger, DiagLogLevel } from "@opentelemetry/api";
import { setGlobalErrorHandler } from "@opentelemetry/core";
import { connectionFault } from "../../../protocol/client/connection-fault.ts";
import type { Logger } from "../../logger.ts";

const QUIET_MS = 10 * 60_000;
const MAX_CHARACTERS = 300;

export class ExportFaults {
  #quietUntil = -Infinity;
  #left = 0;

  /** `now`: milliseconds that only grow. */
  constructor(private readonly log: Logger, private readonly now: () => number = () => performance.now()) {}

  report(fault: string): void {
    if (this.now() < this.#quietUntil) {
      this.#left += 1;
      return;
    }
    this.log.warn("traces or metrics were not sent: {fault} ({left} such faults since the last line about them)", {
      fault: fault.replaceAll(/\s+/g, " ").slice(0, MAX_CHARACTERS),
      left: this.#left,
    });
    this.#quietUntil = this.now() + QUIET_MS;
    this.#left = 0;
  }
}

export function reportExportFaults(log: Logger): ExportFaults {
  const faults = new ExportFaults(log);
  setGlobalErrorHandler((error) => faults.report(messageOf(error)));
  const report: DiagLogger["warn"] = (message, ...details) => faults.report(withError(message, details));
  const ignore = () => {};
  const logger: DiagLogger = { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  return faults;
}

/**
 * A message of OpenTelemetry may be followed by anything, such as the data that were not sent: only an error's message is kept.
 */
function withError(message: string, details: readonly unknown[]): string {
  const error = details.find((detail) => detail instanceof Error);
  return error === undefined ? message : `${message}: ${messageOf(error)}`;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === "string" ? error : "an unknown fault";
  return typeof (error as NodeJS.ErrnoException).code === "string"
    ? connectionFault(error)
    : error.message || error.name;
}
