// Runs one tool call: find the tool, check that changes are allowed, parse the arguments, check the tool's requirements,
// ask a person if needed and check again, run the handler, build the answer.
//
// Invariants: a handler only runs with valid input and with its requirements met. Every call ends in an answer, whatever the
// handler throws. No detail of an internal error reaches the client.

import type { CallRecord } from "../guardrails/call-log.ts";
import { argumentSummary } from "../guardrails/argument-summary.ts";
import { checkMayChange, checkMayRun } from "../guardrails/call-checks.ts";
import { confirmation, ElicitationPending } from "../guardrails/confirmation.ts";
import { parseArguments } from "./arguments.ts";
import type { ToolCatalogue } from "./catalogue.ts";
import { actingUser, type Services, type ToolContext } from "../tools/context.ts";
import { ToolError } from "../error.ts";
import { EventWaits } from "./event-waits.ts";
import { checkRequirements } from "../guardrails/requirements.ts";
import { errorAnswer, isFailure, rawAnswer, statusAnswer, structuredAnswer, type ToolAnswer } from "./result.ts";
import { RawResult, type Tool } from "../tools/tool.ts";

interface CallScope extends Pick<ToolContext, "signal" | "progress" | "caller" | "elicitor"> {
  /** Gives back what the transport holds for a running call. Called once, when the call begins to wait for an event. */
  readonly freeSlot?: () => void;
}

/** Recorded instead of an unknown tool's name, which the client made up and must not become a metric label. */
const NOT_OFFERED = "(not offered)";

/** The client has cancelled the call or disconnected, so nobody reads this. */
const GIVEN_UP = new ToolError(
  "timeout",
  "The client cancelled this call; it is unknown whether the call took effect.",
  "Check the state with a query tool before you repeat it.",
);

interface Ended {
  readonly answer: ToolAnswer;
  readonly outcome: string;
  /** Null if the arguments were invalid or not checked. */
  readonly input: Record<string, unknown> | null;
}

export class Dispatcher {
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();
  readonly #waits = new EventWaits();

  constructor(
    readonly catalogue: ToolCatalogue,
    readonly services: Services,
    private readonly observe: (record: CallRecord) => void = () => {},
  ) {}

  /** Null if no such tool is offered, which is a protocol error. */
  async call(name: string, rawArguments: unknown, scope: CallScope): Promise<ToolAnswer | null> {
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
    const run = this.#observed(tool, rawArguments, this.#contextOf(tool, scope));
    this.#underWay.add(run);
    try {
      return await run;
    } finally {
      this.#underWay.delete(run);
    }
  }

  /**
   * Refuses every call that may change something from now on, including calls that wait for a person's answer. Calls that
   * have sent their request continue. Calls that wait for an event are answered now.
   */
  refuseChanges(): void {
    this.#ending.abort();
    this.#waits.endAll();
  }

  /** The number of calls that wait for an event. */
  get waiting(): number {
    return this.#waits.count;
  }

  /** Resolves when all running calls have ended, or after `limitMs`. */
  async drain(limitMs: number): Promise<void> {
    await Promise.race([Promise.allSettled([...this.#underWay]), Bun.sleep(limitMs)]);
  }

  #contextOf(tool: Tool, { freeSlot, ...scope }: CallScope): ToolContext {
    const context: ToolContext = {
      ...this.services,
      ...scope,
      waitForEvent: (filter, seconds) => this.#waits.wait(tool, context, { filter, seconds }, freeSlot),
    };
    return context;
  }

  async #observed(tool: Tool, rawArguments: unknown, context: ToolContext): Promise<ToolAnswer> {
    const began = performance.now();
    const actedAs = actingUser(context);
    const { answer, outcome, input } = await this.#run(tool, rawArguments, context);
    this.observe({
      tool: tool.name,
      caller: context.caller ?? null,
      userId: actedAs ?? actingUser(context),
      arguments: input === null ? null : argumentSummary(tool.input, input),
      outcome,
      durationMs: performance.now() - began,
    });
    return answer;
  }

  async #run(tool: Tool, rawArguments: unknown, context: ToolContext): Promise<Ended> {
    let input: Record<string, unknown> | null = null;
    try {
      this.#checkCapacity();
      const ending = this.#ending.signal;
      checkMayChange(tool, context, ending);
      input = parseArguments(tool, rawArguments ?? {});
      checkRequirements(tool, context);
      const confirmed = confirmation(tool, input, context, ending);
      if (confirmed !== null) {
        await confirmed;
        // Things may have changed while the person was asked. Nothing is awaited from here to the first request of the handler.
        checkMayRun(tool, context, ending);
      }
      const value = await tool.handler(input, context);
      if (value instanceof RawResult) {
        const answer = rawAnswer(value.result);
        return { input, answer, outcome: isFailure(answer) ? "error" : "ok" };
      }
      const answer = tool.onFailure ? statusAnswer(value) : structuredAnswer(withFreshness(tool, value, context));
      return { input, answer, outcome: answer.isError ? String(value["status"]) : "ok" };
    } catch (thrown) {
      if (context.signal.aborted && !(thrown instanceof ToolError)) {
        return { input, answer: failureAnswer(tool, GIVEN_UP, rawArguments, context), outcome: "given_up" };
      }
      const error = thrown instanceof ToolError ? thrown : this.#internalError(tool, thrown);
      const outcome = error instanceof ElicitationPending ? "asked" : error.code;
      return { input, answer: failureAnswer(tool, error, rawArguments, context), outcome };
    }
  }

  /** Over HTTP at most `maxRequests` calls run at once, besides those that wait for an event. Throws ToolError `rate_limited`. */
  #checkCapacity(): void {
    const most = this.services.configuration.http?.maxRequests ?? Infinity;
    if (this.#underWay.size - this.waiting < most) return;
    throw new ToolError(
      "rate_limited",
      `${most} calls are already running; nothing was sent.`,
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
      "mkt failed on this call; it is unknown whether the call took effect.",
      `Check the state with a query tool before you repeat it; the server's log has details under ${reference}.`,
    );
  }
}

/**
 * Marks a result from the snapshot or the event buffer: `stale` with `asOf` while a lost connection is being restored,
 * `incomplete` if modules may be missing because a message could not be read.
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

function failureAnswer(tool: Tool, error: ToolError, rawArguments: unknown, context: ToolContext): ToolAnswer {
  if (tool.onFailure === undefined) return errorAnswer(error);
  const input = typeof rawArguments === "object" && rawArguments !== null ? rawArguments : {};
  return structuredAnswer(tool.onFailure(error, input as Record<string, unknown>, context), true);
}
