// The request states of mkt: what it wants to know again when a client repeats a call with its answers. A page of mkt is such a
// client, too.
//
// A state comes back through the client, which could forge it. So it is signed, expires, and is accepted once, from the
// caller that it was made for: its id stays pending (core/tools/pending-states.ts) until then. Whoever takes a state must check
// that it belongs to the call.

import { createHash, randomUUID } from "node:crypto";
import { createRequestStateCodec, type ServerContext } from "@modelcontextprotocol/server";
import { errorMessage } from "../../../../common/error-message.ts";
import type { Logger } from "../../../../common/logger.ts";
import type { Services } from "../../../tools/context.ts";
import { PENDING_SECONDS, type PendingStates } from "../../../tools/pending-states.ts";
import { OwnPendingStates } from "./pending-states.ts";

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

type Codec = ReturnType<typeof createRequestStateCodec<Signed>>;

/** mkt binds a state by its digests and its caller, and not by the SDK's context. */
const NO_CONTEXT = {} as ServerContext;

/** The states of a server, which it shares with its replicas. */
export function requestStatesOf({ replicas, now, log }: Pick<Services, "replicas" | "now" | "log">): RequestStates {
  return new RequestStates(replicas?.pendingStates ?? new OwnPendingStates(now), log);
}

export class RequestStates {
  #keyed: { readonly key: Uint8Array; readonly codec: Codec } | null = null;

  constructor(private readonly pending: PendingStates, private readonly log: Logger) {}

  /** The text for the client. `caller` is the name of its token; null without one. */
  async mint(state: RequestState, caller: string | null): Promise<string> {
    const id = randomUUID();
    const codec = await this.#codec();
    await this.pending.put(id, caller);
    return await codec.mint({ id, ...state });
  }

  /** `text`: what the call brought. Null if that is no state of this caller that is still pending. */
  async take(text: unknown, caller: string | null): Promise<RequestState | null> {
    const state = typeof text === "string" ? await this.#verified(text) : null;
    return state !== null && await this.pending.take(state.id, caller) ? state : null;
  }

  async #codec(): Promise<Codec> {
    const key = await this.pending.key();
    if (this.#keyed?.key !== key) {
      this.#keyed = { key, codec: createRequestStateCodec<Signed>({ key, ttlSeconds: PENDING_SECONDS }) };
    }
    return this.#keyed.codec;
  }

  async #verified(text: string): Promise<Signed | null> {
    const codec = await this.#codec();
    try {
      return await codec.verify(text, NO_CONTEXT);
    } catch (error) {
      this.log.warn("refused an answer with an invalid request state: {error}", { error: errorMessage(error) });
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
