// A tracer whose spans a test reads.

import { AsyncLocalStorage } from "node:async_hooks";
import type { TraceContext } from "../../common/telemetry/trace-context.ts";
import type { Span, SpanStart, Tracer } from "../../common/telemetry/tracer.ts";

class RecordedSpan implements Span {
  readonly isRecording = true;
  readonly context: TraceContext;
  readonly attributes: Record<string, string | number | boolean>;
  failure: string | null = null;
  hasEnded = false;

  constructor(readonly name: string, readonly begun: SpanStart, id: number) {
    const { parent, attributes } = begun;
    const spanId = id.toString(16).padStart(16, "0");
    const traceId = parent?.traceId ?? spanId.repeat(2);
    this.context = { traceId, spanId, isSampled: true, state: parent?.state ?? null };
    this.attributes = { ...attributes };
  }

  set(name: string, value: string | number | boolean): void {
    this.attributes[name] = value;
  }

  fail(code: string): void {
    this.failure = code;
  }

  end(): void {
    if (this.hasEnded) throw new Error(`the span ${this.name} ends twice`);
    this.hasEnded = true;
  }
}

export class RecordedTracer implements Tracer {
  readonly spans: RecordedSpan[] = [];
  readonly #active = new AsyncLocalStorage<RecordedSpan>();

  start(name: string, start: SpanStart): RecordedSpan {
    const span = new RecordedSpan(name, start, this.spans.length + 1);
    this.spans.push(span);
    return span;
  }

  within<Result>(span: Span, work: () => Result): Result {
    return this.#active.run(span as RecordedSpan, work);
  }

  active(): Span | null {
    const span = this.#active.getStore();
    return span === undefined || span.hasEnded ? null : span;
  }
}
