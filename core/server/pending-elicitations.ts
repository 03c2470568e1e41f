// Asking the person at a client, on protocol 2026-07-28 by an input-required result, before it by elicitation/create on
// the connection that is there: over stdio, and not over stateless HTTP, where nothing connects two requests.
//
// What goes out with an input-required result comes back through the client, and may be made up. So the state is signed
// (with a key of this process), expires, is bound to the call with its arguments, its acting user and its token, and is
// good for one answer: it is pending here until then.
//
// Pending questions are limited for each caller (the name of a token), so no client can push out another's: of more than
// MOST_PENDING the oldest of the same caller is given up, or, if each holds up a call, the new one is refused.

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
import type { Logger } from "../../common/logger.ts";
import type { Person, PersonsAnswer, Question } from "../guardrails/confirmation.ts";

/** How long a person may take. */
const OPEN_SECONDS = 300;
const MOST_PENDING = 100;
const ANSWER = "confirmation";

const FORM: ElicitRequestFormParams["requestedSchema"] = {
  type: "object",
  properties: {
    agree: { type: "boolean", title: "Yes, do it", description: "Without it nothing is done", default: false },
  },
  required: ["agree"],
};

const agreement = z.object({ action: z.literal("accept"), content: z.object({ agree: z.literal(true) }) });

const withElicitation = z.object({
  elicitation: z.object({ form: z.unknown().optional(), url: z.unknown().optional() }),
});

interface State {
  readonly id: string;
  /** Digest of the call that it is for. */
  readonly call: string;
}

/** A person, and what to answer the client with where the person must be asked first. */
export interface PersonAtClient extends Person {
  /** Null unless the last `ask` gave `asked`. */
  readonly question: InputRequiredResult | null;
}

export interface Asker {
  readonly mcp: McpServer;
  readonly era: "legacy" | "modern";
  readonly context: ServerContext;
  /** The name of the token that the client sent; null without one. */
  readonly caller: string | null;
}

export class OpenQuestions {
  readonly #codec = createRequestStateCodec<State>({
    key: getRandomValues(new Uint8Array(32)),
    ttlSeconds: OPEN_SECONDS,
  });
  /** By caller: expiry time of each pending question by its id, oldest first; milliseconds since the epoch. */
  readonly #pending = new Map<string | null, Map<string, number>>();
  /** By caller: calls that wait for elicitation/create. */
  readonly #waiting = new Map<string | null, number>();

  constructor(private readonly log: Logger, private readonly now: () => number) {}

  personAt({ mcp, era, context, caller }: Asker): PersonAtClient {
    const open = { result: null as InputRequiredResult | null };
    return {
      get question() {
        return open.result;
      },
      ask: async (question) => {
        const capabilities = era === "modern" ? declared(context) : mcp.server.getClientCapabilities();
        if (era === "legacy") {
          return canAsk(capabilities) ? await this.#elicit(question, context, caller) : "unavailable";
        }
        if (carriesAnswer(context)) return await this.#settle(question, context, caller);
        if (!canAsk(capabilities)) return "unavailable";
        open.result = await this.#inputRequired(question, caller);
        return "asked";
      },
    };
  }

  async #inputRequired({ text, call }: Question, caller: string | null): Promise<InputRequiredResult> {
    const id = randomUUID();
    this.#put(id, caller);
    return inputRequired({
      inputRequests: { [ANSWER]: inputRequired.elicit({ message: text, requestedSchema: FORM }) },
      requestState: await this.#codec.mint({ id, call: digestOf(call) }),
    });
  }

  async #settle({ call }: Question, context: ServerContext, caller: string | null): Promise<PersonsAnswer> {
    const state = await this.#verified(context);
    if (state === null || state.call !== digestOf(call) || !this.#take(state.id, caller)) return "forged";
    return agreement.safeParse(context.mcpReq.inputResponses?.[ANSWER]).success ? "agreed" : "declined";
  }

  #put(id: string, caller: string | null): void {
    const pending = this.#pending.get(caller) ?? new Map<string, number>();
    this.#pending.set(caller, pending);
    pending.set(id, this.now() + OPEN_SECONDS * 1000);
    for (const [oldest, until] of pending) {
      if (pending.size <= MOST_PENDING && until >= this.now()) break;
      pending.delete(oldest);
    }
  }

  /** False if the question is not pending, or not any more. */
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
      this.log.warn("an answer was refused, its state is not good: {error}", { error: (error as Error).message });
      return null;
    }
  }

  async #elicit({ text }: Question, { mcpReq }: ServerContext, caller: string | null): Promise<PersonsAnswer> {
    const waiting = this.#waiting.get(caller) ?? 0;
    if (waiting >= MOST_PENDING) return "busy";
    this.#waiting.set(caller, waiting + 1);
    const params = { mode: "form" as const, message: text, requestedSchema: FORM };
    try {
      const options = { timeout: OPEN_SECONDS * 1000, signal: mcpReq.signal };
      const answer = await mcpReq.send({ method: "elicitation/create", params }, options);
      return agreement.safeParse(answer).success ? "agreed" : "declined";
    } catch (error) {
      this.log.warn("a person could not be asked: {error}", { error: (error as Error).message });
      return "declined";
    } finally {
      const left = (this.#waiting.get(caller) ?? 1) - 1;
      if (left > 0) this.#waiting.set(caller, left);
      else this.#waiting.delete(caller);
    }
  }
}

/** An answer, a state, or both: what no first call has. */
function carriesAnswer({ mcpReq }: ServerContext): boolean {
  return mcpReq.inputResponses !== undefined || mcpReq.requestState() !== undefined;
}

/** On protocol 2026-07-28 each request says what its client can do. */
function declared({ mcpReq }: ServerContext): unknown {
  return Object.entries(mcpReq.envelope ?? {}).find(([key]) => key === CLIENT_CAPABILITIES_META_KEY)?.[1];
}

/** Forms are what a bare `elicitation: {}` stands for, too. */
function canAsk(capabilities: unknown): boolean {
  const { success, data } = withElicitation.safeParse(capabilities);
  return success && (data.elicitation.form !== undefined || data.elicitation.url === undefined);
}

function digestOf(call: string): string {
  return createHash("sha256").update(call).digest("base64url");
}
