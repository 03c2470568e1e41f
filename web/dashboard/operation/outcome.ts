// What became of a call that changes something.

import type { ErrorReport, ToolReply } from "../../contract/calls.ts";
import { forPeople } from "../live/error-words.ts";
import { RequestError } from "../live/server.ts";

export type Outcome =
  | { readonly kind: "success"; readonly message: string; readonly result: Readonly<Record<string, unknown>> }
  /** Nobody knows whether it took effect. */
  | { readonly kind: "unknown"; readonly report: ErrorReport }
  /** Nothing was changed. */
  | { readonly kind: "failed"; readonly report: ErrorReport }
  /** The person did not agree. */
  | { readonly kind: "cancelled" };

/** Of the result of a tool. */
export function outcomeOf({ isError, result }: ToolReply & { readonly kind: "result" }): Outcome {
  const message = typeof result["message"] === "string" ? result["message"] : "Done.";
  if (!isError) return { kind: "success", message, result };
  const report = (result["error"] ?? { code: String(result["status"] ?? "error"), message }) as ErrorReport;
  const isUnknown = result["status"] === "timeout" || report.code === "timeout" || report.code === "internal";
  return { kind: isUnknown ? "unknown" : "failed", report: forPeople(report) };
}

/** Of a call that was answered with an error, or not at all. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof RequestError) {
    // 502 and 504 may come from a proxy whose server has done it all the same.
    const isUnknown = error.status >= 500 && error.status !== 503 && error.status !== 501;
    return { kind: isUnknown ? "unknown" : "failed", report: error.report };
  }
  const message = "The server did not answer, so it may or may not have done this.";
  return { kind: "unknown", report: { code: "no_answer", message, hint: "Check the connection, then what is shown." } };
}
