// Calls of one tool from the shell: `mkt call TOOL [JSON]`, and those of `mkt watch`.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { didYouMean } from "../../common/command-line.ts";
import { connectToOneEngine } from "../backend/same-engine.ts";
import { type ErrorReport, ToolError } from "../error.ts";
import type { Runtime } from "../runtime.ts";
import { errorResult } from "../dispatch/result.ts";

interface CallOutcome {
  /** JSON text of the result. */
  readonly text: string;
  readonly failed: boolean;
}

/** Connects if the tool needs it. Throws an Error of one line if there is no such tool. */
export async function callTool(runtime: Runtime, name: string, input: unknown): Promise<CallOutcome> {
  const { catalogue, services } = runtime.dispatcher;
  const tool = catalogue.get(name);
  if (tool === undefined) throw notOffered(name, catalogue.names);
  try {
    if (tool.requires?.connection !== undefined) {
      await connectToOneEngine(services, runtime.configuration.backend.userId);
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return outcomeOf(errorResult(error));
  }
  return outcomeOf(await callOnce(runtime, name, input, new AbortController().signal));
}

/** Calls without connecting. Throws an Error of one line if there is no such tool. */
export async function callOnce(
  { dispatcher }: Runtime,
  name: string,
  input: unknown,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const result = await dispatcher.call(name, input, { signal, progress: () => Promise.resolve(), caller: "shell" });
  if (result === null) throw notOffered(name, dispatcher.catalogue.names);
  return result;
}

/** The error of a failed result; null if it did not fail. */
export function reportOf({ isError, content: [block] }: CallToolResult): ErrorReport | null {
  if (isError !== true || block?.type !== "text") return null;
  return (JSON.parse(block.text) as { readonly error: ErrorReport }).error;
}

function notOffered(name: string, offered: readonly string[]): Error {
  return new Error(`no tool ${name} is offered${didYouMean(name, offered)}; mkt tools lists the tools`);
}

function outcomeOf(
  result: { content: { type: string; text?: string }[]; structuredContent?: unknown; isError?: boolean },
) {
  const text = result.structuredContent === undefined
    ? result.content.map((block) => block.text ?? `(${block.type})`).join("\n")
    : JSON.stringify(result.structuredContent);
  return { text, failed: result.isError === true };
}
