// Calls of one tool from the shell: `mkt call TOOL [JSON]`, and those of `mkt watch`.

import { didYouMean } from "../../common/command-line.ts";
import { connectToOneEngine } from "../../core/backend/same-engine.ts";
import { type ErrorReport, ToolError } from "../../core/error.ts";
import type { Runtime } from "../../core/runtime.ts";
import { errorAnswer, isFailure, type ToolAnswer } from "../../core/dispatch/result.ts";

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
    return outcomeOf(errorAnswer(error));
  }
  return outcomeOf(await callOnce(runtime, name, input, new AbortController().signal));
}

/** Calls without connecting. Throws an Error of one line if there is no such tool. */
export async function callOnce(
  { dispatcher }: Runtime,
  name: string,
  input: unknown,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const answer = await dispatcher.call(name, input, { signal, caller: "shell" });
  if (answer === null) throw notOffered(name, dispatcher.catalogue.names);
  return answer;
}

/** The error of a failed call; null if it did not fail. */
export function reportOf(answer: ToolAnswer): ErrorReport | null {
  return answer.kind === "json" && answer.isError ? answer.value["error"] as ErrorReport : null;
}

function notOffered(name: string, offered: readonly string[]): Error {
  return new Error(`no tool ${name} is offered${didYouMean(name, offered)}; mkt tools lists the tools`);
}

function outcomeOf(answer: ToolAnswer): CallOutcome {
  return { text: textOf(answer), failed: isFailure(answer) };
}

function textOf(answer: ToolAnswer): string {
  if (answer.kind === "json") return answer.text;
  const { content, structuredContent } = answer.result;
  if (structuredContent !== undefined) return JSON.stringify(structuredContent);
  return content.map((block) => block.type === "text" ? block.text : `(${block.type})`).join("\n");
}
