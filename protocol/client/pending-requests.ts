// Requests that were sent and wait for their response.
//
// Invariant: every request settles exactly once: by its response, by its deadline, or when all are given up; but one that its
// caller has dropped never settles. A reconnection does not move a deadline. A response that matches no pending request (late,
// repeated, unknown) changes nothing.

import type { ClientMessage, ResponseMessage } from "../index.ts";

/** The engine refuses a request that reaches it after `validUntil`. */
export type RequestMessage = Extract<ClientMessage, { kind: "request" }> & { readonly validUntil: string };

export type RequestOutcome<Result = Readonly<Record<string, unknown>>> =
  | { readonly kind: "ok"; readonly operationId: string; readonly result: Result }
  /** The engine refused it: nothing changed. */
  | { readonly kind: "rejected"; readonly operationId: string; readonly code: string; readonly message: string }
  /** The engine failed on it, or answered something that is not in the protocol. */
  | { readonly kind: "error"; readonly operationId: string; readonly code: string; readonly message: string }
  /** No response: whether it took effect is unknown. It can't take effect after `validUntil`, an ISO engine time. */
  | {
    readonly kind: "timeout";
    readonly operationId: string;
    readonly waitedMs: number;
    readonly validUntil: string;
  }
  /** It was never sent. */
  | { readonly kind: "not_connected"; readonly operationId: string };

interface PendingRequest {
  readonly message: RequestMessage;
  /** By `performance.now`. */
  readonly sentAt: number;
  readonly settle: (outcome: RequestOutcome) => void;
  readonly stopWaiting: () => void;
}

/** Dropped requests whose responses are expected. */
const MAX_DROPPED = 1_000;

export class PendingRequests {
  /** By requestId, oldest first. */
  readonly #pending = new Map<string, PendingRequest>();
  /** By requestId, oldest first. */
  readonly #dropped = new Set<string>();

  /** `timeoutMs`: how long a request waits for its response; null: until all are given up. */
  constructor(private readonly timeoutMs: number | null) {}

  get count(): number {
    return this.#pending.size;
  }

  /** How long the oldest request has waited, in milliseconds; 0 if none waits. */
  get longestWaitMs(): number {
    const oldest = this.#pending.values().next().value;
    return oldest === undefined ? 0 : performance.now() - oldest.sentAt;
  }

  /** Oldest first. */
  messages(): RequestMessage[] {
    return [...this.#pending.values()].map(({ message }) => message);
  }

  /** Waits for the response to a message that was just sent. `settle` is called once, later. */
  add(message: RequestMessage, settle: (outcome: RequestOutcome) => void): void {
    const { requestId } = message;
    const { timeoutMs } = this;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stopWaiting = () => {
      clearTimeout(timer);
      this.#pending.delete(requestId);
    };
    const pending: PendingRequest = {
      message,
      sentAt: performance.now(),
      settle: (outcome) => {
        stopWaiting();
        settle(outcome);
      },
      stopWaiting,
    };
    this.#pending.set(requestId, pending);
    if (timeoutMs === null) return;
    // If this process stood still past the deadline, the response may have arrived and not been read yet. The second timer
    // fires after it has been read. The reported wait is the deadline, however late the timers fire.
    timer = setTimeout(() => {
      timer = setTimeout(() => pending.settle(timedOut(message, timeoutMs)), 0);
    }, timeoutMs);
  }

  /**
   * Its caller waits no more. It stays sent, so the engine may still carry it out, but it is not sent again after a
   * reconnection. The dropped request; null if it does not wait.
   */
  drop(requestId: string): RequestMessage | null {
    const pending = this.#pending.get(requestId);
    if (pending === undefined) return null;
    pending.stopWaiting();
    this.#dropped.add(requestId);
    for (const oldest of this.#dropped) {
      if (this.#dropped.size <= MAX_DROPPED) break;
      this.#dropped.delete(oldest);
    }
    return pending.message;
  }

  /** False: no request waits for this response, or has waited for it. */
  settle(response: ResponseMessage): boolean {
    const pending = this.#pending.get(response.requestId);
    if (pending === undefined) return this.#dropped.delete(response.requestId);
    pending.settle(outcomeOf(pending.message, response));
    return true;
  }

  /** Settles every request as `timeout`: it was sent, and may take effect until its `validUntil`. */
  giveUpAll(): void {
    for (const { message, sentAt, settle } of [...this.#pending.values()]) {
      settle(timedOut(message, Math.round(performance.now() - sentAt)));
    }
  }
}

function timedOut({ operationId, validUntil }: RequestMessage, waitedMs: number): RequestOutcome {
  return { kind: "timeout", operationId, waitedMs, validUntil };
}

/** What a response says of its request. */
export function outcomeOf(
  { operationId }: Pick<RequestMessage, "operationId">,
  response: Omit<ResponseMessage, "kind" | "requestId">,
): RequestOutcome {
  if (response.operationId !== operationId) {
    return misfit(operationId, `the engine answered operation ${response.operationId} instead`);
  }
  if (response.status === "rejected") {
    const { code = "rejected", message = "The engine rejected the request and gave no reason." } = response;
    return { kind: "rejected", operationId, code, message };
  }
  if (response.status === "error") {
    const { code = "backend_error", message = "The engine failed on the request and gave no reason." } = response;
    return { kind: "error", operationId, code, message };
  }
  return { kind: "ok", operationId, result: response.result ?? {} };
}

/** The outcome of a request whose response is not in the protocol. `what` is a clause without a full stop. */
export function misfit(operationId: string, what: string): RequestOutcome<never> {
  return { kind: "error", operationId, code: "backend_error", message: `The request may have taken effect: ${what}.` };
}
