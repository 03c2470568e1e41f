// Requests that were sent and wait for their confirmation. Each has its own deadline, which a reconnection does not move,
// and is valid up to it and no longer: the engine refuses it later, so nothing takes effect after the deadline.
//
// Invariants: every request settles exactly once: by its response, by its deadline, or when all are given up. A response
// that nobody waits for (late, repeated, unknown) changes nothing and is counted.

import {
  type Action,
  type ActionRequest,
  type ActionResult,
  ACTIONS,
  type ClientMessage,
  type ResponseMessage,
} from "../../protocol/index.ts";
import type { EngineClock } from "../../protocol/client/engine-clock.ts";
import type { RequestOutcome } from "./pubsub.ts";

type RequestMessage = Extract<ClientMessage, { kind: "request" }>;

interface PendingRequest {
  readonly message: RequestMessage;
  readonly answer: (response: ResponseMessage) => void;
  readonly giveUp: () => void;
}

export class PendingRequests {
  readonly #pending = new Map<string, PendingRequest>();
  #ignoredResponses = 0;

  /** `timeoutMs`: how long a request waits for its confirmation. */
  constructor(private readonly timeoutMs: number, private readonly clock: EngineClock) {}

  get ignoredResponses(): number {
    return this.#ignoredResponses;
  }

  get count(): number {
    return this.#pending.size;
  }

  /** The messages to send again on another connection, oldest first. */
  messages(): RequestMessage[] {
    return [...this.#pending.values()].map(({ message }) => message);
  }

  /** Waits for the response to a request that `send` has taken; `not_connected` where it has not. */
  request<Name extends Action>(
    action: Name,
    payload: ActionRequest<Name>,
    operationId: string,
    send: (message: RequestMessage) => boolean,
  ): Promise<RequestOutcome<Name>> {
    const validUntil = new Date(this.clock.time() + this.timeoutMs).toISOString();
    const message: RequestMessage = {
      kind: "request",
      requestId: crypto.randomUUID(),
      operationId,
      action,
      payload,
      validUntil,
    };
    if (!send(message)) return Promise.resolve({ kind: "not_connected", operationId });
    const began = performance.now();
    return new Promise((resolve) => {
      const settle = (outcome: RequestOutcome<Name>) => {
        clearTimeout(timer);
        this.#pending.delete(message.requestId);
        resolve(outcome);
      };
      const timedOut = (waitedMs: number) => settle({ kind: "timeout", operationId, waitedMs, validUntil });
      const giveUp = () => timedOut(Math.round(performance.now() - began));
      // What was waited at the deadline is the deadline, however late the timer came. Where it did come late, because this
      // process stood still, the answer may be there and not yet be read: the second timer comes behind it.
      let timer = setTimeout(() => {
        timer = setTimeout(() => timedOut(this.timeoutMs), 0);
      }, this.timeoutMs);
      const answer = (response: ResponseMessage) => settle(outcomeOf(action, operationId, response));
      this.#pending.set(message.requestId, { message, answer, giveUp });
    });
  }

  settle(response: ResponseMessage): void {
    const pending = this.#pending.get(response.requestId);
    if (pending === undefined) this.#ignoredResponses += 1;
    else pending.answer(response);
  }

  /** Settles every request as `timeout`: it was sent, and may take effect until its `validUntil`. */
  giveUpAll(): void {
    for (const pending of [...this.#pending.values()]) pending.giveUp();
  }
}

function outcomeOf<Name extends Action>(
  action: Name,
  operationId: string,
  response: ResponseMessage,
): RequestOutcome<Name> {
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
  const result = ACTIONS[action].result.safeParse(response.result);
  if (result.success) return { kind: "ok", operationId, result: result.data as ActionResult<Name> };
  const fields = [...new Set(result.error.issues.map(({ path }) => path.join(".") || "result"))].join(", ");
  return misfit(operationId, `the engine confirmed it with a result outside the protocol (${fields})`);
}

function misfit(operationId: string, what: string): RequestOutcome<never> {
  return {
    kind: "error",
    operationId,
    code: "backend_error",
    message: `The request may have taken effect: ${what}.`,
  };
}
