// Handles the messages of one established connection, in order. Each request gets one response.
//
// The user's rate (user-rates.ts) and the shape of a message (message-shape.ts) are checked before anything else reads the
// message.

import { type ClientMessage, type EngineMessage, id as idSchema, type RejectionCode } from "../../../protocol/index.ts";
import type { Tracer } from "../../../common/telemetry/tracer.ts";
import type { EngineHost } from "../host/engine-host.ts";
import type { EngineLimits } from "../../../common/http/guards/engine-limits.ts";
import { faultOfParsed } from "../../../common/http/guards/message-shape.ts";
import type { UserRate } from "../../../common/http/guards/user-rates.ts";
import type { EngineCounters } from "../metrics/engine-counters.ts";
import { RequestTrace } from "../publication/request-trace.ts";
import type { Subscriber } from "../publication/subscribers.ts";
import { type AdvanceResponses, RETRY_MS } from "./advance-responses.ts";
import { fieldOf, isKnownKind, parseClientMessage, type Refusal } from "./client-messages.ts";
import type { Subscription } from "./subscription.ts";
import type { UnknownMessages } from "./unknown-messages.ts";

type Request = Extract<ClientMessage, { kind: "request" }>;

interface RequestHandlerOptions {
  readonly host: EngineHost;
  readonly limits: EngineLimits;
  readonly unknown: UnknownMessages;
  readonly rate: UserRate;
  readonly subscription: Subscription;
  readonly advances: AdvanceResponses;
  readonly counters: EngineCounters;
  /** Null: no traces are recorded. */
  readonly tracer: Tracer | null;
}

export class RequestHandler {
  constructor(private readonly options: RequestHandlerOptions) {}

  /**
   * Handles the messages of one frame, whose text is `frame`. Returns why the connection must end, or null. A flood ends it at
   * once; a message that can't be answered ends it after the other messages.
   */
  handleAll(messages: readonly unknown[], frame: string): Refusal | null {
    const { rate, subscription } = this.options;
    const excessBytes = rate.takeBytes(Buffer.byteLength(frame));
    let fault: string | null = null;
    for (const message of messages) {
      if (subscription.isClosed) return null;
      const excess = excessBytes ?? rate.takeMessage();
      if (excess === null) {
        const newFault = this.#handle(message, frame);
        fault ??= newFault;
      } else if (excess.isFlood) return { code: "rate_limited", message: excess.message };
      else this.#reject(message, "rate_limited", excess.message, { retryAfterMs: excess.retryAfterMs });
    }
    return fault === null ? null : { code: "invalid_message", message: fault };
  }

  /** Returns what is wrong with a message that can't be answered, else null. */
  #handle(message: unknown, frame: string): string | null {
    const { host, unknown, limits, rate, subscription } = this.options;
    const kind = fieldOf(message, "kind");
    if (typeof kind === "string" && !isKnownKind(kind)) {
      unknown.note(kind);
      return null;
    }
    const shapeFault = faultOfParsed(message, frame, limits);
    const parsed = shapeFault === null ? parseClientMessage(message) : `the message ${shapeFault}`;
    if (typeof parsed === "string") {
      rate.rejected();
      return this.#reject(message, "invalid_payload", parsed) ? null : parsed;
    }
    switch (parsed.kind) {
      case "hello":
        return "a hello may only be the first message";
      case "ping":
        subscription.reply({ kind: "pong", ...host.times });
        return null;
      case "request":
        if (parsed.action === "clock.advance") this.#advance(parsed, message);
        else this.#execute(parsed, subscription);
        return null;
    }
  }

  #advance(request: Request, message: unknown): void {
    const { host, advances, subscription } = this.options;
    const before = host.marketTime();
    const milliseconds = Date.parse(String(fieldOf(request.payload, "to"))) - before;
    const refusal = advances.refusal(milliseconds);
    if (refusal !== null) return void this.#reject(message, "rate_limited", refusal, { retryAfterMs: RETRY_MS });
    const isMoved = this.#execute(request, advances.responseTo(subscription, milliseconds));
    if (isMoved) advances.moved(host.marketTime() - before);
  }

  /** `to`: who gets the response. False: the request is rejected. */
  #execute(asked: Request, to: Subscriber): boolean {
    const { host, rate, subscription, tracer } = this.options;
    const { requestId, operationId, action, payload, validUntil } = asked;
    const request = { userId: subscription.user.id, operationId, action, payload, validUntil };
    const trace = tracer === null ? null : RequestTrace.begin(tracer, action, asked);
    const reply = { to, requestId, trace };
    const { response } = trace === null
      ? host.execute(request, reply)
      : trace.executing(() => host.execute(request, reply));
    if (response?.status !== "rejected") return true;
    rate.rejected();
    return false;
  }

  /** Answers a request without executing it. Returns false if the message can't be answered. */
  #reject(message: unknown, code: RejectionCode, reason: string, result?: Record<string, unknown>): boolean {
    this.options.counters.refusedMessages.add(code);
    const requestId = idSchema.safeParse(fieldOf(message, "requestId"));
    if (fieldOf(message, "kind") !== "request" || !requestId.success) return false;
    const operationId = idSchema.safeParse(fieldOf(message, "operationId"));
    // The answers to earlier requests go first.
    this.options.host.flush();
    this.options.subscription.reply(
      {
        kind: "response",
        requestId: requestId.data,
        operationId: operationId.success ? operationId.data : requestId.data,
        status: "rejected",
        code,
        message: reason,
        ...(result && { result }),
      } satisfies EngineMessage,
    );
    return true;
  }
}
