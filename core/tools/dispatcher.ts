// Follow one call: find the tool, parse the arguments, check what it requires, run the handler, make the result.
//
// Invariants: a handler never sees input that does not fit, nor runs when a requirement is unmet; every call ends in a
// result, whatever the handler throws; no detail of an internal error reaches the client.

import type { CallToolResult } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { ToolCatalogue } from "./catalogue.ts";
import type { Services, ToolContext } from "./context.ts";
import { ToolError } from "./error.ts";
import { checkRequirements } from "./requirements.ts";
import { errorResult, statusResult, structuredResult } from "./result.ts";
import { RawResult, type Tool } from "./tool.ts";

export type CallScope = Pick<ToolContext, "signal" | "progress">;

/** What was called, how it ended and how long it took; for logs and metrics. */
export interface CallRecord {
  readonly tool: string;
  /** `ok`, or the error code or status of the failure. */
  readonly outcome: string;
  readonly durationMs: number;
}

export class Dispatcher {
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(
    readonly catalogue: ToolCatalogue,
    readonly services: Services,
    private readonly observe: (record: CallRecord) => void = () => {},
  ) {}

  /** Null where no such tool is offered: that is a protocol error, not a result. */
  async call(name: string, rawArguments: unknown, scope: CallScope): Promise<CallToolResult | null> {
    const tool = this.catalogue.get(name);
    if (tool === undefined) return null;
    const run = this.#observed(tool, rawArguments, { ...this.services, ...scope });
    this.#underWay.add(run);
    try {
      return await run;
    } finally {
      this.#underWay.delete(run);
    }
  }

  /** Resolves when the calls under way have ended, or after `limitMs`. */
  async drain(limitMs: number): Promise<void> {
    await Promise.race([Promise.allSettled([...this.#underWay]), Bun.sleep(limitMs)]);
  }

  async #observed(tool: Tool, rawArguments: unknown, context: ToolContext): Promise<CallToolResult> {
    const began = performance.now();
    const { result, outcome } = await this.#run(tool, rawArguments, context);
    this.observe({ tool: tool.name, outcome, durationMs: performance.now() - began });
    return result;
  }

  async #run(tool: Tool, rawArguments: unknown, context: ToolContext) {
    try {
      const input = parseArguments(tool, rawArguments ?? {});
      checkRequirements(tool, context);
      const value = await tool.handler(input, context);
      if (value instanceof RawResult) return { result: value.result, outcome: value.result.isError ? "error" : "ok" };
      const result = tool.onFailure ? statusResult(value) : structuredResult(withFreshness(tool, value, context));
      return { result, outcome: result.isError ? String(value["status"]) : "ok" };
    } catch (thrown) {
      const error = thrown instanceof ToolError ? thrown : this.#internalError(tool, thrown);
      return { result: failureResult(tool, error, rawArguments, context), outcome: error.code };
    }
  }

  #internalError(tool: Tool, thrown: unknown): ToolError {
    const reference = crypto.randomUUID();
    this.services.log.error("{tool} failed: {error} ({reference})", {
      tool: tool.name,
      reference,
      error: thrown instanceof Error ? thrown.stack ?? thrown.message : String(thrown),
    });
    return new ToolError(
      "internal",
      "mkt failed on this call; what it did, if anything, is unknown.",
      `Check the state with a query tool before you repeat it; the server's log tells more under ${reference}.`,
    );
  }
}

function parseArguments(tool: Tool, rawArguments: unknown): Record<string, unknown> {
  const fault = unfitShape(rawArguments);
  if (fault !== null) {
    throw new ToolError(
      "invalid_input",
      `The arguments of ${tool.name} don't fit: ${fault}.`,
      "Mend them and call again.",
    );
  }
  const parsed = tool.input.safeParse(rawArguments);
  if (parsed.success) return parsed.data;
  throw new ToolError(
    "invalid_input",
    `The arguments of ${tool.name} don't fit: ${parsed.error.issues.map(describeIssue).join("; ")}.`,
    `Correct these fields and call again: ${fieldsOf(parsed.error.issues).join(", ")}.`,
  );
}

/** Deeper than any tool's arguments. */
const DEEPEST = 32;

/** Why arguments are refused before any schema sees them. */
function unfitShape(value: unknown, depth = 0): string | null {
  if (typeof value !== "object" || value === null) return null;
  if (depth === DEEPEST) return `they are nested more than ${DEEPEST} deep`;
  // zod drops this key without a word, and a filter that is dropped is a wrong answer.
  if (Object.hasOwn(value, "__proto__")) return "they have a key __proto__";
  for (const item of Object.values(value)) {
    const fault = unfitShape(item, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path.map(String).join(".") || "arguments";
  if (issue.code === "unrecognized_keys") return `${issue.keys.join(", ")}: no such parameter`;
  return `${field}: ${issue.message}`;
}

function fieldsOf(issues: readonly z.core.$ZodIssue[]): string[] {
  const fields = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys : [issue.path.map(String).join(".") || "arguments"]
  );
  return [...new Set(fields)];
}

/** While a lost connection is coming back, an answer from the snapshot or the buffer says how old it may be. */
function withFreshness(tool: Tool, value: Record<string, unknown>, context: ToolContext): Record<string, unknown> {
  if (tool.requires?.connection !== "read" || context.pubsub.status === "connected") return value;
  return { ...value, stale: true, asOf: context.snapshot.asOf };
}

function failureResult(tool: Tool, error: ToolError, rawArguments: unknown, context: ToolContext): CallToolResult {
  if (tool.onFailure === undefined) return errorResult(error);
  const input = typeof rawArguments === "object" && rawArguments !== null ? rawArguments : {};
  return structuredResult(tool.onFailure(error, input as Record<string, unknown>, context), true);
}
