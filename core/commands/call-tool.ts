// `mkt call TOOL [JSON]`: connects if the tool needs it, calls the tool once, prints the result.

import { didYouMean } from "../../common/command-line.ts";
import { connectToOneEngine } from "../backend/same-engine.ts";
import { ToolError } from "../error.ts";
import type { Runtime } from "../runtime.ts";
import { errorResult } from "../dispatch/result.ts";

interface CallOutcome {
  /** JSON text of the result. */
  readonly text: string;
  readonly failed: boolean;
}

/** Throws an Error of one line if there is no such tool. */
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
  const result = await runtime.dispatcher.call(name, input, {
    signal: new AbortController().signal,
    progress: () => Promise.resolve(),
    caller: "shell",
  });
  if (result === null) throw notOffered(name, catalogue.names);
  return outcomeOf(result);
}

function notOffered(name: string, offered: readonly string[]): Error {
  return new Error(`no tool ${name} is offered${didYouMean(name, offered)}: mkt tools lists those that are`);
}

function outcomeOf(
  result: { content: { type: string; text?: string }[]; structuredContent?: unknown; isError?: boolean },
) {
  const text = result.structuredContent === undefined
    ? result.content.map((block) => block.text ?? `(${block.type})`).join("\n")
    : JSON.stringify(result.structuredContent);
  return { text, failed: result.isError === true };
}
