// A tracer whose spans a test reads.

import type { TraceContext } from "../../common/telemetry/trace-context.ts";
import type { Span, SpanStart, Tracer } from "../../common/telemetry/tracer.ts";

export class RecordedSpan implements Span {
  readonly isRecording = true;
  readonly context: TraceContext;
  readonly attributes: Record<string, string | number | boolean>;
  failure: string | null = null;
  hasEnded = false;

  constructor(readonly name: string, readonly begun: SpanStart, id: number) {
    const { parent, attributes } = begun;
    const spanId = id.toString(16).padStart(16, "0");
    this.context = {
      traceId: parent?.traceId ?? spanId.repeat(2),
      spanId,
      isSampled: true,
      state: parent?.state ?? null,
    };
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

/** Without asynchronous contexts: a span is active while `within` runs its work. */
export class RecordedTracer implements Tracer {
  readonly spans: RecordedSpan[] = [];
  #active: Span | null = null;

  start(name: string, start: SpanStart): RecordedSpan {
    const span = new RecordedSpan(name, start, this.spans.length + 1);
    this.spans.push(span);
    return span;
  }

  within<Result>(span: Span, work: () => Result): Result {
    const before = this.#active;
    this.#active = span;
    try {
      return work();
    } finally {
      this.#active = before;
    }
  }

  active(): Span | null {
    return this.#active;
  }
}
