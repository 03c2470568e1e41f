// Runs what a client asks of packs besides tool calls: reading a resource, getting a prompt, completing an argument,
// subscribing, and routes over HTTP. They have the checks of a tool call, in the same order: capacity, shutdown, kill switch,
// read-only mode, connection, permissions.
//
// Invariant: every request is observed once, before the client has its answer.

import type { Span, Tracer } from "../../common/telemetry/tracer.ts";
import { type Checked, checkMayRun } from "../guardrails/call-checks.ts";
import { NOT_OFFERED, type RequestKind, type RequestRecord } from "../guardrails/call-log.ts";
import type { Requiring } from "../guardrails/requirements.ts";
import { InputRequired } from "../tools/client.ts";
import { actingUser, type Services, type ToolContext } from "../tools/context.ts";
import { ToolError } from "../error.ts";
import { callContext, type CallScope } from "./call-context.ts";
import { endRequestSpan, requestSpan } from "./request-span.ts";
import type { RunningCalls } from "./running-calls.ts";

export interface PackRequest extends Requiring {
  readonly kind: RequestKind;
  /** As RequestRecord has it. */
  readonly name: string;
  /** True if absent. */
  readonly readOnlyHint?: boolean;
  readonly allowedWhenFrozen?: boolean;
  /** For the log: nothing that could be a secret (logged-parameters.ts). Null if they are invalid. */
  readonly arguments?: Readonly<Record<string, unknown>> | null;
}

type Handle<Value> = (context: ToolContext) => Value | Promise<Value>;
type OutcomeOf<Value> = (value: Value) => string;

/** Keeps the record of a request that has ended. */
export type ObserveRequest = (record: RequestRecord) => void;

const NOBODY: CallScope = { signal: new AbortController().signal, caller: null };

export class PackRequests {
  constructor(
    private readonly services: Services,
    private readonly running: RunningCalls,
    private readonly observe: ObserveRequest = () => {},
    /** Null: no traces are recorded. */
    private readonly tracer: Tracer | null = null,
  ) {}

  /** The user that this process acts as; null if it is not connected. */
  get actingUser(): string | null {
    return actingUser(this.services);
  }

  /**
   * What `handle` gives, after all checks. Throws what a check or `handle` throws. `outcomeOf` tells what to record of a value
   * that is a failure.
   */
  run<Value>(
    request: PackRequest,
    scope: CallScope,
    handle: Handle<Value>,
    outcomeOf: OutcomeOf<Value> = () => "ok",
  ): Promise<Value> {
    const { tracer } = this;
    const span = tracer === null ? null : requestSpan(tracer, request, scope.origin);
    const run = () => this.#run(request, scope, handle, outcomeOf, span);
    return this.running.counted(tracer === null || span === null ? run() : tracer.within(span, run));
  }

  /**
   * The context of a request, after all checks but the one on the number of running calls: for lists, and for looking for
   * changes, which are no calls. Throws ToolError.
   */
  contextFor(request: PackRequest, scope: CallScope = NOBODY): ToolContext {
    const context = callContext(request, this.services, scope, this.running.waits);
    checkMayRun(checkedOf(request), null, context, this.running.ending);
    return context;
  }

  /** Records a request for something that no pack offers. Its name is the client's, so it is not kept. */
  recordUnknown(kind: RequestKind, what: "resource" | "prompt", { caller = null }: CallScope): void {
    const userId = actingUser(this.services);
    this.observe({
      kind,
      name: NOT_OFFERED,
      caller,
      userId,
      arguments: null,
      outcome: `unknown_${what}`,
      durationMs: 0,
    });
  }

  async #run<Value>(
    request: PackRequest,
    scope: CallScope,
    handle: Handle<Value>,
    outcomeOf: OutcomeOf<Value>,
    span: Span | null,
  ): Promise<Value> {
    const began = performance.now();
    const userId = actingUser(this.services);
    let outcome = "internal";
    try {
      this.running.checkCapacity();
      const { replicas } = this.services;
      const checked = checkedOf(request);
      await replicas?.begin(checked, scope.signal);
      const value = await this.#handled(checked, () => handle(this.contextFor(request, scope)));
      outcome = value instanceof InputRequired ? "asked" : outcomeOf(value);
      return value;
    } catch (error) {
      if (error instanceof ToolError) outcome = error.code;
      else if (scope.signal.aborted) outcome = "given_up";
      throw error;
    } finally {
      scope.endProgress?.();
      if (span !== null) endRequestSpan(span, outcome);
      this.observe({
        kind: request.kind,
        name: request.name,
        caller: scope.caller ?? null,
        userId: userId ?? actingUser(this.services),
        arguments: request.arguments === undefined ? {} : request.arguments,
        outcome,
        durationMs: performance.now() - began,
      });
    }
  }

  /** What was changed is in the shared log before the answer, also if the handler fails. */
  async #handled<Value>(checked: Checked, handle: () => Value | Promise<Value>): Promise<Value> {
    try {
      return await handle();
    } finally {
      if (!checked.annotations.readOnlyHint) await this.services.replicas?.changed();
    }
  }
}

function checkedOf({ requires, readOnlyHint = true, allowedWhenFrozen = false }: PackRequest): Checked {
  return { ...(requires && { requires }), annotations: { readOnlyHint }, allowedWhenFrozen };
}
