// Runs one tool call: find the tool, check that changes are allowed, parse the arguments, check the tool's requirements,
// ask a person if needed and check again, run the handler, build the answer (outcome.ts).
//
// Invariants: a handler only runs with valid input and with its requirements met. Every call ends in an answer, and is
// observed before the client has it (ObserveCall).
// Cost: a call whose handler gives a value at once needs no promise. Everything here except the answer's JSON text and what
// `observe` does takes less than a microsecond.

import type { Span, Tracer } from "../../common/telemetry/tracer.ts";
import type { Timers } from "../../common/timers.ts";
import { type CallRecord, NOT_OFFERED } from "../guardrails/call-log.ts";
import { argumentSummary } from "../guardrails/argument-summary.ts";
import { checkAccess, checkMayChange, checkMayRun } from "../guardrails/call-checks.ts";
import { confirmation } from "../guardrails/confirmation.ts";
import { parseArguments } from "./arguments.ts";
import { callContext, type CallScope } from "./call-context.ts";
import type { ToolCatalogue } from "./catalogue.ts";
import { actingUser, type Services, type ToolContext } from "../tools/context.ts";
import { checkRequirements } from "../guardrails/requirements.ts";
import { failure, type HandlerValue, type Outcome, success } from "./outcome.ts";
import { endToolSpan, toolSpan } from "./request-span.ts";
import { isFailure, type ToolAnswer } from "./result.ts";
import { RunningCalls } from "./running-calls.ts";
import type { Replicas } from "../tools/replicas.ts";
import type { Tool } from "../tools/tool.ts";

type Input = Record<string, unknown>;

/** Keeps the record of a call that has ended. */
export type ObserveCall = (record: CallRecord) => void;

/** A call on its way through the dispatcher. */
interface Call {
  readonly tool: Tool;
  readonly rawArguments: unknown;
  readonly context: ToolContext;
  readonly endProgress: CallScope["endProgress"];
  readonly isPart: CallScope["isPart"];
  /** Milliseconds, as of performance.now(). */
  readonly began: number;
  /** The acting user when the call came. */
  readonly userId: string | null;
  /** Null if no traces are recorded. */
  readonly span: Span | null;
  /** Null if the arguments are invalid or not yet checked. */
  input: Input | null;
}

export class Dispatcher {
  readonly running: RunningCalls;

  constructor(
    readonly catalogue: ToolCatalogue,
    readonly services: Services,
    private readonly observe: ObserveCall = () => {},
    /** Null: no traces are recorded. */
    readonly tracer: Tracer | null = null,
    /** When waits for an event end; default: the runtime's. */
    timers?: Timers,
  ) {
    this.running = new RunningCalls(services.configuration, timers);
  }

  /** Null if no such tool is offered, which is a protocol error. */
  async call(name: string, rawArguments: unknown, scope: CallScope): Promise<ToolAnswer | null> {
    return await this.begin(name, rawArguments, scope);
  }

  /** The same. A call whose handler gives a value at once has ended when this returns. */
  begin(name: string, rawArguments: unknown, scope: CallScope): ToolAnswer | Promise<ToolAnswer> | null {
    const tool = this.catalogue.get(name);
    if (tool === undefined) {
      this.#observeNotOffered(scope);
      return null;
    }
    const context = callContext(tool, this.services, scope, this.running.waits);
    const { endProgress, isPart } = scope;
    const userId = actingUser(context);
    const { tracer } = this;
    const span = tracer === null ? null : toolSpan(tracer, name, scope.origin);
    const call = {
      tool,
      rawArguments,
      context,
      endProgress,
      isPart,
      began: performance.now(),
      userId,
      span,
      input: null,
    };
    const run = tracer === null || span === null ? this.#run(call) : tracer.within(span, () => this.#run(call));
    return run instanceof Promise && isPart !== true ? this.running.counted(run) : run;
  }

  /**
   * Refuses every call that may change something from now on, including calls that wait for a person's answer. Calls that
   * have sent their request continue. Calls that wait for an event are answered now.
   */
  refuseChanges(): void {
    this.running.end();
  }

  /** The number of calls that wait for an event. */
  get waiting(): number {
    return this.running.waits.count;
  }

  /** Resolves when all running calls have ended, or after `limitMs`. */
  drain(limitMs: number): Promise<void> {
    return this.running.drain(limitMs);
  }

  #run(call: Call): ToolAnswer | Promise<ToolAnswer> {
    let outcome: Outcome;
    try {
      const { replicas } = this.services;
      const value = replicas === null ? this.#handled(call) : this.#handledAmong(replicas, call);
      if (isPromise(value)) return this.#settled(call, value);
      outcome = success(call.tool, value, call.context);
    } catch (thrown) {
      outcome = failure(call.tool, thrown, call.rawArguments, call.context);
    }
    return this.#ended(call, outcome);
  }

  async #settled(call: Call, value: Promise<HandlerValue>): Promise<ToolAnswer> {
    let outcome: Outcome;
    try {
      outcome = success(call.tool, await value, call.context);
    } catch (thrown) {
      outcome = failure(call.tool, thrown, call.rawArguments, call.context);
    }
    return this.#ended(call, outcome);
  }

  /** As `#handled`, for a process that has replicas. */
  async #handledAmong(replicas: Replicas, call: Call): Promise<HandlerValue> {
    const { tool, context } = call;
    await replicas.begin(tool, context.signal);
    try {
      return await this.#handled(call);
    } finally {
      if (!tool.annotations.readOnlyHint) await replicas.changed();
    }
  }

  /** What the handler gives, after all checks. Throws what a check or the handler throws. */
  #handled(call: Call): HandlerValue | Promise<HandlerValue> {
    const { tool, context, rawArguments } = call;
    const { ending } = this.running;
    if (call.isPart !== true) this.running.checkCapacity();
    checkMayChange(tool, context, ending);
    const input = parseArguments(tool, rawArguments ?? {});
    call.input = input;
    checkAccess(tool, input, context);
    checkRequirements(tool, context);
    const confirmed = confirmation(tool, input, context, ending);
    return confirmed === null ? tool.handler(input, context) : this.#handledOnce(confirmed, call, input);
  }

  async #handledOnce(confirmed: Promise<void>, { tool, context }: Call, input: Input): Promise<HandlerValue> {
    await confirmed;
    await this.services.replicas?.begin(tool, context.signal);
    // Things may have changed while the person was asked. Nothing is awaited from here to the first request of the handler.
    checkMayRun(tool, input, context, this.running.ending);
    return await tool.handler(input, context);
  }

  #ended({ tool, context, endProgress, began, userId, span, input }: Call, { answer, name }: Outcome): ToolAnswer {
    endProgress?.();
    if (span !== null) endToolSpan(span, name, { hasFailed: isFailure(answer) });
    const record = {
      tool: tool.name,
      caller: context.caller ?? null,
      userId: userId ?? actingUser(context),
      arguments: input === null ? null : argumentSummary(tool.input, input),
      outcome: name,
      durationMs: performance.now() - began,
    };
    this.observe(record);
    return answer;
  }

  #observeNotOffered({ caller = null, origin }: CallScope): void {
    if (this.tracer !== null) endToolSpan(toolSpan(this.tracer, null, origin), "unknown_tool", { hasFailed: true });
    const userId = actingUser(this.services);
    this.observe({ tool: NOT_OFFERED, caller, userId, arguments: null, outcome: "unknown_tool", durationMs: 0 });
  }
}

/** A pack may give a promise of its own kind. */
function isPromise(value: HandlerValue | Promise<HandlerValue>): value is Promise<HandlerValue> {
  return value instanceof Promise || typeof (value as { then?: unknown } | undefined)?.then === "function";
}
