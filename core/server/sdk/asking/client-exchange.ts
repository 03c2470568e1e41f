// What goes between one call and its client besides arguments and result: input that the handler asks for, and log messages.
//
// Protocol 2026-07-28: the call is answered with an input-required result, and the client repeats it. The SDK refuses requests
// that the client has not declared (-32021). On stdio with an older protocol the SDK sends the requests of the same result over
// the connection, and runs the handler again. Over HTTP with an older protocol there is no connection.

import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { errorMessage } from "../../../../common/error-message.ts";
import type { Logger } from "../../../../common/logger.ts";
import { safeLinesIn } from "../../../../common/safe-text.ts";
import type { ToolError } from "../../../error.ts";
import { type AskingClient, cantBeAsked, InputPending, type InputRequired } from "../../../tools/client.ts";
import { digestOf, type RequestState, type RequestStates } from "./request-states.ts";

/** A call, and the connection that it came over. */
export interface CallOrigin {
  readonly mcp: McpServer;
  readonly era: "legacy" | "modern";
  readonly context: ServerContext;
  /** The name of the token that the client sent, or `stdio`; null without one. */
  readonly caller: string | null;
}

/** What must be the same in the repeated call. */
interface CallIdentity {
  readonly method: "tools/call" | "prompts/get";
  readonly name: string;
  readonly arguments: unknown;
  /** The acting user; null if the process is not connected. */
  readonly userId: string | null;
}

/** What a client must have declared before it may be sent a request. */
const CAPABILITIES: Readonly<Record<string, "elicitation" | "sampling" | "roots">> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

/** Throws ProtocolError if the call brought a state that mkt has not made for it. */
export async function exchangeWith(
  origin: CallOrigin,
  { method, name, arguments: given, userId }: CallIdentity,
  states: RequestStates,
  logger: Logger,
): Promise<ClientExchange> {
  const { context, caller } = origin;
  const call = digestOf(JSON.stringify([method, name, given ?? {}, caller, userId]));
  if (context.mcpReq.requestState() === undefined) return new ClientExchange(origin, call, null, logger);
  const carried = await states.take(context.mcpReq.requestState(), caller);
  if (carried !== null && (carried.asked !== undefined || carried.call === call)) {
    return new ClientExchange(origin, call, carried, logger);
  }
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "The requestState is not one that mkt gave for this call, or it was used before, or has expired. Call again without it.",
  );
}

export class ClientExchange implements AskingClient {
  readonly capabilities: ClientCapabilities;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly state: unknown;
  #required: InputRequired | null = null;

  constructor(
    private readonly origin: CallOrigin,
    private readonly call: string,
    /** The state that the call brought; null without one. */
    readonly carried: RequestState | null,
    private readonly logger: Logger,
  ) {
    const { mcp, era, context } = origin;
    this.capabilities = (era === "modern" ? declaredCapabilities(context) : mcp.server.getClientCapabilities()) ?? {};
    // The answer of a person who was asked to agree is not for the handler.
    this.responses = carried?.asked === undefined ? context.mcpReq.inputResponses ?? {} : {};
    this.state = carried?.value;
  }

  ask(required: InputRequired): ToolError {
    const refusal = this.#refusalOf(required);
    if (refusal !== null) return refusal;
    this.#required = required;
    return new InputPending("forbidden", "The client is asked for input.", "Wait for the answer.");
  }

  async log(level: Parameters<AskingClient["log"]>[0], data: unknown): Promise<void> {
    try {
      await this.origin.context.mcpReq.log(level, safeLinesIn(data));
    } catch (error) {
      // The client has disconnected, or the data is not JSON.
      this.logger.debug("a log message was not sent to the client: {error}", { error: errorMessage(error) });
    }
  }

  /**
   * The result of the call if its handler has asked for input; null otherwise. `agreed`: what a person has agreed to before.
   */
  async inputRequired(states: RequestStates, agreed: string | null): Promise<InputRequiredResult | null> {
    if (this.#required === null) return null;
    const { requests, state: value } = this.#required;
    const isStateless = value === undefined && agreed === null;
    const state = { call: this.call, ...(value !== undefined && { value }), ...(agreed !== null && { agreed }) };
    return {
      resultType: "input_required",
      inputRequests: safeLinesIn(requests),
      ...(!isStateless && { requestState: await states.mint(state, this.origin.caller) }),
    };
  }

  /** Null if the client can be asked, and on protocol 2026-07-28, which has an error of its own for it. */
  #refusalOf(required: InputRequired): ToolError | null {
    const { era, context } = this.origin;
    if (era === "modern") return null;
    if (context.http !== undefined) {
      return cantBeAsked(
        required,
        "over HTTP only a client of protocol 2026-07-28 can be asked",
        "Use that protocol, or start mkt on stdio.",
      );
    }
    const missing = Object.values(required.requests).map(({ method }) => CAPABILITIES[method])
      .find((name) => name !== undefined && this.capabilities[name] === undefined);
    if (missing === undefined) return null;
    return cantBeAsked(required, `it has not declared the capability ${missing}`, "Use a client that supports it.");
  }
}

/** On protocol 2026-07-28 each request carries the capabilities of its client. */
export function declaredCapabilities({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  const declared: unknown = Object.entries(mcpReq.envelope ?? {})
    .find(([key]) => key === CLIENT_CAPABILITIES_META_KEY)?.[1];
  return declared as ClientCapabilities | undefined;
}
