// The spans of one request to the engine: the request, from its frame to its response, and as parts of it the execution and the
// commit. They exist only beside the request: neither the engine nor the journal nor the audit trail knows of them.
//
// Only a request whose trace is sampled has one, so all others cost one look at the fields.

import { parseTraceContext } from "../../../common/telemetry/trace-context.ts";
import type { Span, Tracer } from "../../../common/telemetry/tracer.ts";
import type { RequestTraceFields } from "../../../protocol/client/engine-client.ts";
import type { WrittenAnswer } from "../../api/market-engine.ts";

export class RequestTrace {
  #commit: Span | null = null;

  private constructor(private readonly tracer: Tracer, private readonly span: Span) {}

  /** Null if the request is not sampled. */
  static begin(tracer: Tracer, action: string, fields: RequestTraceFields): RequestTrace | null {
    const parent = parseTraceContext(fields.traceparent, fields.tracestate);
    const span = tracer.start(action, { kind: "server", parent, attributes: { ...RPC, "rpc.method": action } });
    return span.isRecording ? new RequestTrace(tracer, span) : null;
  }

  /** Runs `work`, which executes the request. */
  executing<Result>(work: () => Result): Result {
    const span = this.#part("execute");
    try {
      return work();
    } finally {
      span.end();
    }
  }

  commitBegins(): void {
    this.#commit = this.#part("commit");
  }

  commitEnds(): void {
    this.#commit?.end();
  }

  /** The response is on its way to the client. */
  answered(response: WrittenAnswer | null): void {
    if (response !== null && response.status !== "ok") this.span.fail(response.code ?? response.status);
    this.span.end();
  }

  #part(name: string): Span {
    return this.tracer.start(name, { kind: "internal", parent: this.span.context });
  }
}

/** What the actions of the protocol are as remote procedure calls. */
const RPC = { "rpc.system": "mkt" } as const;
