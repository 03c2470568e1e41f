// Asking the person at an MCP client. On protocol 2026-07-28 the call is answered with an input-required result, and the
// client repeats the call with the answer. Older protocols use elicitation/create on the open connection, which stdio has
// and stateless HTTP does not.
//
// The request state of an input-required result comes back through the client, which could forge it. So the state is
// signed with a key of this process, expires, is bound to the call (arguments, acting user, token), and is accepted once:
// its id stays pending here until then.
//
// Limit: MAX_PENDING for each caller (the name of a token), so no client can push out another client's elicitations.
// Beyond the limit the caller's oldest pending one is dropped; an elicitation/create, which a call waits for, is refused.

import { createHash, getRandomValues, randomUUID } from "node:crypto";
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  inputRequired,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { Capacity } from "../../guardrails/capacity.ts";
import type { Logger } from "../../../common/logger.ts";
import type { Elicitation, ElicitationOutcome, Elicitor } from "../../tools/elicitation.ts";

/** How long a person may take to answer. */
const PENDING_SECONDS = 300;
const MAX_PENDING = 100;
const ANSWER = "confirmation";

const FORM: ElicitRequestFormParams["requestedSchema"] = {
  type: "object",
  properties: {
    agree: { type: "boolean", title: "Yes, do it", description: "Nothing is done unless this is set", default: false },
  },
  required: ["agree"],
};

const agreement = z.object({ action: z.literal("accept"), content: z.object({ agree: z.literal(true) }) });

const withElicitation = z.object({
  elicitation: z.object({ form: z.unknown().optional(), url: z.unknown().optional() }),
});

interface State {
  readonly id: string;
  /** Digest of the call that the answer is for. */
  readonly call: string;
}

interface ClientElicitor extends Elicitor {
  /** The result of the call if the last elicitation is `pending`; null otherwise. */
  readonly inputRequired: InputRequiredResult | null;
}

/** The call that an elicitation belongs to. */
interface CallOrigin {
  readonly mcp: McpServer;
  readonly era: "legacy" | "modern";
  readonly context: ServerContext;
  /** The name of the token that the client sent; null without one. */
  readonly caller: string | null;
}

export class PendingElicitations {
  readonly #codec = createRequestStateCodec<State>({
    key: getRandomValues(new Uint8Array(32)),
    ttlSeconds: PENDING_SECONDS,
  });
  /** By caller: the expiry time of each pending elicitation by its id, oldest first; milliseconds since the epoch. */
  readonly #pending = new Map<string | null, Map<string, number>>();
  /** By caller: the number of calls that wait for elicitation/create. */
  readonly #waiting = new Capacity(Infinity, () => MAX_PENDING);

  constructor(private readonly log: Logger, private readonly now: () => number) {}

  elicitorFor({ mcp, era, context, caller }: CallOrigin): ClientElicitor {
    let inputRequired: InputRequiredResult | null = null;
    return {
      get inputRequired() {
        return inputRequired;
      },
      elicit: async (elicitation) => {
        if (era === "modern" && carriesAnswer(context)) return await this.#settle(elicitation, context, caller);
        const capabilities = era === "modern" ? declaredCapabilities(context) : mcp.server.getClientCapabilities();
        if (!supportsForms(capabilities)) return "unavailable";
        if (era === "legacy") return await this.#create(elicitation, context, caller);
        inputRequired = await this.#inputRequired(elicitation, caller);
        return "pending";
      },
    };
  }

  async #inputRequired({ message, call }: Elicitation, caller: string | null): Promise<InputRequiredResult> {
    const id = randomUUID();
    this.#put(id, caller);
    return inputRequired({
      inputRequests: { [ANSWER]: inputRequired.elicit({ message, requestedSchema: FORM }) },
      requestState: await this.#codec.mint({ id, call: digestOf(call) }),
    });
  }

  async #settle(
    { call }: Elicitation,
    context: ServerContext,
    caller: string | null,
  ): Promise<ElicitationOutcome> {
    const state = await this.#verified(context);
    if (state === null || state.call !== digestOf(call) || !this.#take(state.id, caller)) return "forged";
    return agreement.safeParse(context.mcpReq.inputResponses?.[ANSWER]).success ? "agreed" : "declined";
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

  /** False if the elicitation is not pending, or has expired. */
  #take(id: string, caller: string | null): boolean {
    const pending = this.#pending.get(caller);
    const until = pending?.get(id) ?? -Infinity;
    pending?.delete(id);
    if (pending?.size === 0) this.#pending.delete(caller);
    return this.now() <= until;
  }

  async #verified(context: ServerContext): Promise<State | null> {
    const state: unknown = context.mcpReq.requestState();
    if (typeof state !== "string") return null;
    try {
      return await this.#codec.verify(state, context);
    } catch (error) {
      this.log.warn("refused an answer with an invalid request state: {error}", { error: (error as Error).message });
      return null;
    }
  }

  async #create(
    { message }: Elicitation,
    { mcpReq }: ServerContext,
    caller: string | null,
  ): Promise<ElicitationOutcome> {
    const client = caller ?? "";
    if (this.#waiting.take(client, 1) !== "taken") return "busy";
    const params = { mode: "form" as const, message, requestedSchema: FORM };
    try {
      const options = { timeout: PENDING_SECONDS * 1000, signal: mcpReq.signal };
      const answer = await mcpReq.send({ method: "elicitation/create", params }, options);
      return agreement.safeParse(answer).success ? "agreed" : "declined";
    } catch (error) {
      // The client has cancelled the call itself, so nobody has declined.
      mcpReq.signal.throwIfAborted();
      this.log.warn("elicitation/create failed: {error}", { error: (error as Error).message });
      return "declined";
    } finally {
      this.#waiting.release(client, 1);
    }
  }
}

/** Whether the call is the repeat of one that was answered with an input-required result. */
function carriesAnswer({ mcpReq }: ServerContext): boolean {
  return mcpReq.inputResponses !== undefined || mcpReq.requestState() !== undefined;
}

/** On protocol 2026-07-28 each request carries the capabilities of its client. */
function declaredCapabilities({ mcpReq }: ServerContext): unknown {
  return Object.entries(mcpReq.envelope ?? {}).find(([key]) => key === CLIENT_CAPABILITIES_META_KEY)?.[1];
}

/** A bare `elicitation: {}` means forms, too. */
function supportsForms(capabilities: unknown): boolean {
  const { success, data } = withElicitation.safeParse(capabilities);
  return success && (data.elicitation.form !== undefined || data.elicitation.url === undefined);
}

function digestOf(call: string): string {
  return createHash("sha256").update(call).digest("base64url");
}
