// A tracer that makes spans of OpenTelemetry.

import { AsyncLocalStorage } from "node:async_hooks";
import {
  ROOT_CONTEXT,
  type Span as OpenTelemetrySpan,
  type SpanContext,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer as OpenTelemetryTracer,
} from "@opentelemetry/api";
import { TraceState } from "@opentelemetry/core";
import type { TraceContext } from "../trace-context.ts";
import type { Span, SpanKind, SpanStart, Tracer } from "../tracer.ts";

const KINDS: Readonly<Record<SpanKind, Kind>> = {
  server: Kind.SERVER,
  client: Kind.CLIENT,
  internal: Kind.INTERNAL,
};

export class OtlpTracer implements Tracer {
  readonly #active = new AsyncLocalStorage<OtlpSpan | UnrecordedSpan>();

  /**
   * `ratio`: of the traces that begin here; the others cost no more than their ids. Null: the sampler of `tracer` decides about
   * every span, whatever its parent.
   */
  constructor(private readonly tracer: OpenTelemetryTracer, private readonly ratio: number | null) {}

  start(name: string, { kind, parent, link = null, attributes }: SpanStart): Span {
    if (this.ratio !== null) {
      if (parent === null ? Math.random() >= this.ratio : !parent.isSampled) return new UnrecordedSpan(parent);
    }
    const context = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent));
    return new OtlpSpan(this.tracer.startSpan(name, {
      kind: KINDS[kind],
      ...(attributes && { attributes }),
      ...(link && { links: [{ context: spanContextOf(link) }] }),
    }, context));
  }

  within<Result>(span: Span, work: () => Result): Result {
    return this.#active.run(span as OtlpSpan | UnrecordedSpan, work);
  }

  active(): Span | null {
    const span = this.#active.getStore();
    return span === undefined || span.hasEnded ? null : span;
  }
}

class OtlpSpan implements Span {
  readonly context: TraceContext;
  readonly isRecording: boolean;
  hasEnded = false;

  constructor(private readonly span: OpenTelemetrySpan) {
    const { traceId, spanId, traceFlags, traceState } = span.spanContext();
    const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
    this.context = { traceId, spanId, isSampled, state: traceState?.serialize() || null };
    this.isRecording = span.isRecording();
  }

  set(name: string, value: string | number | boolean): void {
    this.span.setAttribute(name, value);
  }

  fail(code: string, type: string = code): void {
    this.span.setAttribute("error.type", type);
    this.span.setStatus({ code: SpanStatusCode.ERROR, message: code });
  }

  end(): void {
    this.hasEnded = true;
    this.span.end();
  }
}

/**
 * Part of a trace that is not recorded. It passes on its parent's context, as a process that records nothing may do; without a
 * parent it makes one when it is asked, so that the next process does not begin a trace.
 */
class UnrecordedSpan implements Span {
  readonly isRecording = false;
  hasEnded = false;
  #context: TraceContext | null;

  constructor(parent: TraceContext | null) {
    this.#context = parent;
  }

  get context(): TraceContext {
    return this.#context ??= { traceId: randomId(16), spanId: randomId(8), isSampled: false, state: null };
  }

  set(): void {
    // Nothing is kept.
  }

  fail(): void {
    // Nothing is kept.
  }

  end(): void {
    this.hasEnded = true;
  }
}

function randomId(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toHex();
}

function spanContextOf({ traceId, spanId, isSampled, state }: TraceContext): SpanContext {
  return {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(state !== null && { traceState: new TraceState(state) }),
  };
}
