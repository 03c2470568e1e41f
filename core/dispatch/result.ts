// Turns the outcome of a tool into the answer to its call. This is the one place where text from the market is made safe
// (common/safe-text.ts).
//
// A success has `structuredContent` that fits the output schema, and the same value as compact JSON text. A failure is
// `{ error }` as text only, because no output schema describes it. A tool whose result has a `status` returns that
// structure for a failure, too (Tool.onFailure).
//
// Cost: a value is serialised once. Both forms of a result, and every other reader, use that text.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { safeLinesIn, safeValue } from "../../common/safe-text.ts";
import type { ToolError } from "../error.ts";

/** What a tool call ends in. */
export type ToolAnswer = JsonAnswer | RawAnswer;

/** One JSON object. */
export interface JsonAnswer {
  readonly kind: "json";
  readonly value: Record<string, unknown>;
  /** `value` as compact JSON text. */
  readonly text: string;
  readonly isError: boolean;
  /** Whether `value` is also the result's `structuredContent`. False for `{ error }`. */
  readonly isStructured: boolean;
}

/** Other content than one JSON object (RawResult). Its shape is the pack's, so the SDK must check it. */
export interface RawAnswer {
  readonly kind: "raw";
  readonly result: CallToolResult;
}

/** The other statuses of a mutation are failures. */
const SUCCESSFUL_STATUSES: ReadonlySet<unknown> = new Set(["success", "preview", "partial"]);

export function structuredAnswer(unsafe: Record<string, unknown>, { isError = false } = {}): JsonAnswer {
  return jsonAnswer(unsafe, { isError, isStructured: true });
}

/** An answer whose own `status` says whether it failed. */
export function statusAnswer(unsafe: Record<string, unknown>): JsonAnswer {
  return structuredAnswer(unsafe, { isError: !SUCCESSFUL_STATUSES.has(unsafe["status"]) });
}

export function errorAnswer(error: ToolError): JsonAnswer {
  return jsonAnswer({ error: error.report() }, { isError: true, isStructured: false });
}

/** The texts of a RawResult keep their line breaks. */
export function rawAnswer(result: CallToolResult): RawAnswer {
  const content = safeLinesIn(result.content);
  return { kind: "raw", result: { ...result, content, structuredContent: safeValue(result.structuredContent) } };
}

/** Whether the call failed. */
export function isFailure(answer: ToolAnswer): boolean {
  return answer.kind === "json" ? answer.isError : answer.result.isError === true;
}

/** The answer as the SDK takes it. */
export function callToolResult(answer: ToolAnswer): CallToolResult {
  if (answer.kind === "raw") return answer.result;
  const { value, text, isError, isStructured } = answer;
  return {
    content: [{ type: "text", text }],
    ...(isStructured && { structuredContent: value }),
    ...(isError && { isError: true }),
  };
}

/**
 * The JSON text of `callToolResult(answer)` as the SDK writes it, with the keys in the order of the SDK's schema. There is
 * none for a raw answer, which the SDK must check and put in order. `end` is the end of the result, which protocol 2026-07-28
 * has more in.
 */
export function resultJson({ text, isError, isStructured }: JsonAnswer, end = "}"): string {
  const content = `{"content":[{"type":"text","text":${JSON.stringify(text)}}]`;
  const structured = isStructured ? `,"structuredContent":${text}` : "";
  return `${content}${structured}${isError ? ',"isError":true' : ""}${end}`;
}

function jsonAnswer(
  unsafe: Record<string, unknown>,
  { isError, isStructured }: Pick<JsonAnswer, "isError" | "isStructured">,
): JsonAnswer {
  const value = safeValue(unsafe);
  const text = JSON.stringify(value) as string | undefined;
  // A tool of an external pack may give anything, in spite of its type.
  if (!text?.startsWith("{")) throw new TypeError("the result is no object");
  return { kind: "json", value, text, isError, isStructured };
}
