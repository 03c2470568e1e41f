// What a tool answered through the chat host: its result, or an error in plain words with what to do.

import { isObject, parseJson } from "../../protocol/json.ts";
import type { ErrorReport } from "../contract/calls.ts";

export type Values = Readonly<Record<string, unknown>>;

export type ToolAnswer =
  | { readonly kind: "result"; readonly result: Values }
  | { readonly kind: "error"; readonly report: ErrorReport };

/** An MCP result, as far as views read it. */
interface CallResult {
  readonly content?: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** What a person does about an error, if the server's own hint is for an agent. */
const ADVICE: Readonly<Record<string, string>> = {
  not_connected:
    "Ask the assistant to connect to the market (mkt_connect_pubsub). This view goes on by itself after that.",
  forbidden: "Ask for another one that you may see, or ask the operator for the permission.",
};

const UNKNOWN_TOOL = /^(?:MCP error -?\d+: )?Tool (\S+) not found/;
const TIMED_OUT = /timed? ?out/i;

/** The answer to a call that the host has made. */
export function answerOf(result: CallResult): ToolAnswer {
  const value = isObject(result.structuredContent) ? result.structuredContent : jsonOf(result.content);
  const error = isObject(value?.["error"]) ? value["error"] : null;
  if (error !== null) return { kind: "error", report: reportOf(error) };
  if (value === null || result.isError === true) {
    return failed(
      "no_result",
      textOf(result.content) ?? "The tool gave no result.",
      "Ask the assistant to call it again.",
    );
  }
  return { kind: "result", result: value };
}

/** The answer to a call that the host did not make, or that was refused. `error` is whatever was thrown. */
export function answerToFailure(error: unknown): ToolAnswer {
  const message = error instanceof Error ? error.message : String(error);
  const tool = UNKNOWN_TOOL.exec(message)?.[1];
  if (tool !== undefined) {
    return failed(
      "no_tool",
      `This server does not offer the tool ${tool}.`,
      "Its operator chooses the tools (MKT_PACKS).",
    );
  }
  if (TIMED_OUT.test(message)) {
    return failed(
      "timeout",
      "The chat host gave no answer in time.",
      "Check that the server of the market still runs.",
    );
  }
  return failed("host", `The chat host could not ask the server: ${message}`, "Check that the server still runs.");
}

function reportOf(error: Values): ErrorReport {
  const [code, message, hint] = ["code", "message", "hint"].map((name) => error[name]);
  const known = typeof code === "string" ? code : "unknown";
  const advice = ADVICE[known] ?? hint;
  return {
    code: known,
    message: typeof message === "string" ? message : "The tool failed.",
    ...(typeof advice === "string" && { hint: advice }),
  };
}

function failed(code: string, message: string, hint: string): ToolAnswer {
  return { kind: "error", report: { code, message, hint } };
}

/** The first text, if it is a JSON object: hosts may pass on texts alone. */
function jsonOf(content: CallResult["content"]): Values | null {
  const text = textOf(content);
  if (text === null) return null;
  const value = parseJson(text);
  return isObject(value) ? value : null;
}

function textOf(content: CallResult["content"]): string | null {
  const first = content?.find((block) => isObject(block) && block["type"] === "text");
  return isObject(first) && typeof first["text"] === "string" ? first["text"] : null;
}
