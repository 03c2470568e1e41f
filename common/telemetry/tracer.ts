// Spans, as the MCP server and the engine make them. Both hold a tracer, or null if no traces are sent; then nothing of this is
// done, and nothing of it is loaded.
//
// What may be in a span: names of tools, actions and routes, outcomes, and addresses that the operator has configured. Never an
// argument, an order, an id of the market or of a user, or a text that a user or an agent has written.

import type { TraceContext } from "./trace-context.ts";

/** `server`: answers a request from another process; `client`: waits for an answer of one. */
export type SpanKind = "server" | "client" | "internal";

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  readonly kind: SpanKind;
  /** Null: the span begins a trace of its own. */
  readonly parent: TraceContext | null;
  /** Another context of the same request, for example of its transport. */
  readonly link?: TraceContext | null;
  readonly attributes?: Attributes;
}

export interface Span {
  /** What is sent to the next process, also if the span is not recorded. */
  readonly context: TraceContext;
  /** False: its trace is not sampled, so nothing that is added to the span is kept. */
  readonly isRecording: boolean;
  set(name: string, value: string | number | boolean): void;
  /** Gives the span the status error. `code` says why, `type` what class of error it is; both come from a fixed set. */
  fail(code: string, type?: string): void;
  end(): void;
}

export interface Tracer {
  start(name: string, start: SpanStart): Span;
  /** Runs `work`, and whatever it goes on to wait for, with the span as the active one. */
  within<Result>(span: Span, work: () => Result): Result;
  /** The active span of the running work; null if there is none or it has ended. */
  active(): Span | null;
}
