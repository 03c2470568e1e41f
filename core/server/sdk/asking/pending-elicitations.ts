// Asking the person at an MCP client. On protocol 2026-07-28 the call is answered with an input-required result, and the
// client repeats the call with the answer. Older protocols use elicitation/create on the open connection, which stdio has
// and stateless HTTP does not.
//
// The request state of the result is bound to the call (arguments, acting user, token); request-states.ts does the rest.
//
// Limit: an elicitation/create is refused if MAX_PENDING calls of the caller wait for one.

import {
  type ElicitRequestFormParams,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { errorMessage } from "../../../../common/error-message.ts";
import { Capacity } from "../../../guardrails/capacity.ts";
import type { Logger } from "../../../../common/logger.ts";
import type { Elicitation, ElicitationOutcome, Elicitor } from "../../../tools/elicitation.ts";
import { type CallOrigin, declaredCapabilities } from "./client-exchange.ts";
import { MAX_PENDING, PENDING_SECONDS } from "../../../tools/pending-states.ts";
import { carriesAnswer, digestOf, type RequestState, type RequestStates } from "./request-states.ts";

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

interface ClientElicitor extends Elicitor {
  /** The result of the call if the last elicitation is `pending`; null otherwise. */
  readonly inputRequired: InputRequiredResult | null;
  /** Digest of the elicitation that a person has agreed to; null if there is none. */
  readonly agreed: string | null;
}

/** The state that a call brought, if it was already taken; null if it was invalid. */
type Taken = RequestState | null;

export class PendingElicitations {
  /** By caller: the number of calls that wait for elicitation/create. */
  readonly #waiting = new Capacity(Infinity, () => MAX_PENDING);

  constructor(private readonly states: RequestStates, private readonly log: Logger) {}

  /** `taken` is absent if nobody has taken the call's state yet. */
  elicitorFor(origin: CallOrigin, taken?: Taken): ClientElicitor {
    const { mcp, era, context, caller } = origin;
    let inputRequired: InputRequiredResult | null = null;
    let agreed: string | null = null;
    const ask = async (elicitation: Elicitation): Promise<ElicitationOutcome> => {
      const call = digestOf(elicitation.call);
      if (taken?.agreed === call) return "agreed";
      if (era === "modern" && carriesAnswer(context)) return await this.#settle(call, origin, taken);
      const capabilities = era === "modern" ? declaredCapabilities(context) : mcp.server.getClientCapabilities();
      if (!supportsForms(capabilities)) return "unavailable";
      if (era === "legacy") return await this.#create(elicitation, context, caller);
      inputRequired = await this.#inputRequired(elicitation, caller);
      return "pending";
    };
    return {
      get inputRequired() {
        return inputRequired;
      },
      get agreed() {
        return agreed;
      },
      elicit: async (elicitation) => {
        const outcome = await ask(elicitation);
        if (outcome === "agreed") agreed = digestOf(elicitation.call);
        return outcome;
      },
    };
  }

  async #inputRequired({ message, call }: Elicitation, caller: string | null): Promise<InputRequiredResult> {
    return inputRequired({
      inputRequests: { [ANSWER]: inputRequired.elicit({ message, requestedSchema: FORM }) },
      requestState: await this.states.mint({ asked: digestOf(call) }, caller),
    });
  }

  async #settle(call: string, { context, caller }: CallOrigin, taken: Taken | undefined): Promise<ElicitationOutcome> {
    const state = taken === undefined ? await this.states.take(context.mcpReq.requestState(), caller) : taken;
    if (state?.asked !== call) return "forged";
    return agreement.safeParse(context.mcpReq.inputResponses?.[ANSWER]).success ? "agreed" : "declined";
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
      this.log.warn("elicitation/create failed: {error}", { error: errorMessage(error) });
      return "declined";
    } finally {
      this.#waiting.release(client, 1);
    }
  }
}

/** A bare `elicitation: {}` means forms, too. */
function supportsForms(capabilities: unknown): boolean {
  const { success, data } = withElicitation.safeParse(capabilities);
  return success && (data.elicitation.form !== undefined || data.elicitation.url === undefined);
}
