// The request states of mkt: what it wants to know again when a client repeats a call with its answers.
//
// A state comes back through the client, which could forge it. So it is signed with a key of this process, expires, and is
// accepted once, from the caller that it was made for: its id stays pending here until then. Whoever takes a state must check
// that it belongs to the call.
//
// Limit: MAX_PENDING for each caller (the name of a token), so no client can push out another client's states. Beyond the
// limit the caller's oldest pending one is dropped.

import { createHash, getRandomValues, randomUUID } from "node:crypto";
import { createRequestStateCodec, type ServerContext } from "@modelcontextprotocol/server";
import type { Logger } from "../../../../common/logger.ts";

/** How long a client may take to answer. */
export const PENDING_SECONDS = 300;
export const MAX_PENDING = 100;

export interface RequestState {
  /** Digest of what a person is asked to agree to (MKT_CONFIRM). */
  readonly asked?: string;
  /** Digest of what a person has already agreed to, in a call that then asked for further input. */
  readonly agreed?: string;
  /** Digest of the call that asked for input. */
  readonly call?: string;
  /** The handler's own state. */
  readonly value?: unknown;
}

interface Signed extends RequestState {
  readonly id: string;
}

export class RequestStates {
  readonly #codec = createRequestStateCodec<Signed>({
    key: getRandomValues(new Uint8Array(32)),
    ttlSeconds: PENDING_SECONDS,
  });
  /** By caller: the expiry time of each pending state by its id, oldest first; milliseconds since the epoch. */
  readonly #pending = new Map<string | null, Map<string, number>>();

  constructor(private readonly log: Logger, private readonly now: () => number) {}

  /** The text for the client. `caller` is the name of its token; null without one. */
  async mint(state: RequestState, caller: string | null): Promise<string> {
    const id = randomUUID();
    this.#put(id, caller);
    return await this.#codec.mint({ id, ...state });
  }

  /** Null if the call brought no state of this caller that is still pending. */
  async take(context: ServerContext, caller: string | null): Promise<RequestState | null> {
    const state = await this.#verified(context);
    return state !== null && this.#remove(state.id, caller) ? state : null;
  }

  #put(id: string, caller: string | null): void {
    const pending = this.#pending.get(caller) ?? new Map<string, number>();
    this.#pending.set(caller, pending);
    pending.set(id, this.now() + PENDING_SECONDS * 1000);
    for (const [oldest, until] of pending) {
      if (pending.size <= MAX_PENDING && until >= this.now()) break;
      pending.delete(oldest);
    }
  }

  /** False if the state is not pending, or has expired. */
  #remove(id: string, caller: string | null): boolean {
    const pending = this.#pending.get(caller);
    const until = pending?.get(id) ?? -Infinity;
    pending?.delete(id);
    if (pending?.size === 0) this.#pending.delete(caller);
    return this.now() <= until;
  }

  async #verified(context: ServerContext): Promise<Signed | null> {
    const state: unknown = context.mcpReq.requestState();
    if (typeof state !== "string") return null;
    try {
      return await this.#codec.verify(state, context);
    } catch (error) {
      this.log.warn("refused an answer with an invalid request state: {error}", { error: (error as Error).message });
      return null;
    }
  }
}

/** Whether the call is the repeat of one that was answered with an input-required result. */
export function carriesAnswer({ mcpReq }: ServerContext): boolean {
  return mcpReq.inputResponses !== undefined || mcpReq.requestState() !== undefined;
}

export function digestOf(call: string): string {
  return createHash("sha256").update(call).digest("base64url");
}
