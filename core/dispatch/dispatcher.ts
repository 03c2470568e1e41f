// Follow one call: find the tool, check that it may change something now, parse the arguments, check what the tool
// requires, ask a person if one must agree and check again, run the handler, make the result.
//
// Invariants: a handler never sees input that does not fit, nor runs when a requirement is unmet; every call ends in a
// result, whatever the handler throws; no detail of an internal error reaches the client.

import type { CallToolResult } from "@modelcontextprotocol/server";
import type { CallRecord } from "../guardrails/call-log.ts";
import { argumentSummary } from "../guardrails/argument-summary.ts";
import { checkMayChange, checkMayRun } from "../guardrails/call-checks.ts";
import { confirmation, ElicitationPending } from "../guardrails/confirmation.ts";
import { parseArguments } from "./arguments.ts";
import type { ToolCatalogue } from "./catalogue.ts";
import { actingUser, type Services, type ToolContext } from "../tools/context.ts";
import { ToolError } from "../error.ts";
import { checkRequirements } from "../guardrails/requirements.ts";
import { errorResult, rawResult, statusResult, structuredResult } from "./result.ts";
import { RawResult, type Tool } from "../tools/tool.ts";

export type CallScope = Pick<ToolContext, "signal" | "progress" | "caller" | "elicitor">;

/** The tool's name in the record of a call of a tool that is not offered: what a client made up is no label. */
const NOT_OFFERED = "(not offered)";

/** Nobody reads it: the client has cancelled the call or gone away. */
const GIVEN_UP = new ToolError(
  "timeout",
  "The client gave up this call; whether it took effect is unknown.",
  "Check the state with a query tool before you repeat it.",
);

interface Ended {
  readonly result: CallToolResult;
  readonly outcome: string;
  /** Null where the arguments did not fit, or were not looked at. */
  readonly input: Record<string, unknown> | null;
}

export class Dispatcher {
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();

  constructor(
    readonly catalogue: ToolCatalogue,
    readonly services: Services,
    private readonly observe: (record: CallRecord) => void = () => {},
  ) {}

  /** Null where no such tool is offered: that is a protocol error, not a result. */
  async call(name: string, rawArguments: unknown, scope: CallScope): Promise<CallToolResult | null> {
    const tool = this.catalogue.get(name);
    if (tool === undefined) {
      this.observe({
        tool: NOT_OFFERED,
        caller: scope.caller ?? null,
        userId: actingUser(this.services),
        arguments: null,
        outcome: "unknown_tool",
        durationMs: 0,
      });
      return null;
    }
    const run = this.#observed(tool, rawArguments, { ...this.services, ...scope });
    this.#underWay.add(run);
    try {
      return await run;
    } finally {
      this.#underWay.delete(run);
    }
  }

  /**
   * From now on no tool that may change something is carried out, not even one that waits for a person's answer. Calls whose
   * request was sent go on.
   */
  refuseChanges(): void {
    this.#ending.abort();
  }

  /** Resolves when the calls under way have ended, or after `limitMs`. */
  async drain(limitMs: number): Promise<void> {
    await Promise.race([Promise.allSettled([...this.#underWay]), Bun.sleep(limitMs)]);
  }

  async #observed(tool: Tool, rawArguments: unknown, context: ToolContext): Promise<CallToolResult> {
    const began = performance.now();
    const actedAs = actingUser(context);
    const { result, outcome, input } = await this.#run(tool, rawArguments, context);
    this.observe({
      tool: tool.name,
      caller: context.caller ?? null,
      userId: actedAs ?? actingUser(context),
      arguments: input === null ? null : argumentSummary(tool.input, input),
      outcome,
      durationMs: performance.now() - began,
    });
    return result;
  }

  async #run(tool: Tool, rawArguments: unknown, context: ToolContext): Promise<Ended> {
    let input: Record<string, unknown> | null = null;
    try {
      this.#checkRoom();
      const ending = this.#ending.signal;
      checkMayChange(tool, context, ending);
      input = parseArguments(tool, rawArguments ?? {});
      checkRequirements(tool, context);
      const confirmed = confirmation(tool, input, context, ending);
      if (confirmed !== null) {
        await confirmed;
        // A person took their time. From here to the handler's first request nothing is awaited.
        checkMayRun(tool, context, ending);
      }
      const value = await tool.handler(input, context);
      if (value instanceof RawResult) {
        return { input, result: rawResult(value.result), outcome: value.result.isError ? "error" : "ok" };
      }
      const result = tool.onFailure ? statusResult(value) : structuredResult(withFreshness(tool, value, context));
      return { input, result, outcome: result.isError ? String(value["status"]) : "ok" };
    } catch (thrown) {
      if (context.signal.aborted && !(thrown instanceof ToolError)) {
        return { input, result: failureResult(tool, GIVEN_UP, rawArguments, context), outcome: "given_up" };
      }
      const error = thrown instanceof ToolError ? thrown : this.#internalError(tool, thrown);
      const outcome = error instanceof ElicitationPending ? "asked" : error.code;
      return { input, result: failureResult(tool, error, rawArguments, context), outcome };
    }
  }

  /** Over HTTP no more calls are carried out at once than requests are taken. Throws ToolError `rate_limited`. */
  #checkRoom(): void {
    const most = this.services.configuration.http?.maxRequests ?? Infinity;
    if (this.#underWay.size < most) return;
    throw new ToolError(
      "rate_limited",
      `${most} calls are under way; nothing was sent.`,
      "Wait a little and call again.",
    );
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

/**
 * While a lost connection is coming back, an answer from the snapshot or the buffer says so, and until when what it tells
 * was known to hold; where something could not be read, that it may lack modules.
 */
function withFreshness(tool: Tool, value: Record<string, unknown>, context: ToolContext): Record<string, unknown> {
  if (tool.requires?.connection !== "read") return value;
  const { status, incomplete } = context.pubsub;
  return {
    ...value,
    ...(status !== "connected" && { stale: true, asOf: context.snapshot.asOf }),
    ...(incomplete && { incomplete: true }),
  };
}

function failureResult(tool: Tool, error: ToolError, rawArguments: unknown, context: ToolContext): CallToolResult {
  if (tool.onFailure === undefined) return errorResult(error);
  const input = typeof rawArguments === "object" && rawArguments !== null ? rawArguments : {};
  return structuredResult(tool.onFailure(error, input as Record<string, unknown>, context), true);
}
