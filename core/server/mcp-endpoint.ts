// POST /mcp, from the request to the response. hono is not on this way, because it would take as long as all the rest. For the
// same reason nothing is awaited that is already there.
//
// Checks, in order: well-formed request, Host, Origin, token, rate, concurrent requests, body, type and form of the body, and
// the rate again for the further messages of a batch. Then a plain message takes the short way, and the SDK answers the rest.

import { isJsonContentType } from "@modelcontextprotocol/server";
import { errorStack } from "../../common/error-message.ts";
import { BearerAuthentication } from "../../common/http/bearer-auth.ts";
import type { HostCheck } from "../../common/http/host-check.ts";
import { internalError } from "../../common/http/listen.ts";
import { type RateLimit, tooMany } from "../../common/http/rate-limit.ts";
import type { HttpRefusal } from "../../common/http/refusal.ts";
import { type RequestBodies, textOf } from "../../common/http/request-bodies.ts";
import type { Logger } from "../../common/logger.ts";
import { parseJson } from "../../protocol/json.ts";
import { bodyFault } from "./malformed-request.ts";
import { type Answer, isStillSent, refusalForStrangers, responseTo } from "./mcp-response.ts";
import type { PlainPath } from "./plain/plain-path.ts";
import type { PlainBody } from "./plain/plain-transport.ts";
import {
  beyond,
  CALL_IDLE_SECONDS,
  type ClientConnection,
  clientName,
  IDLE_SECONDS,
} from "./limits/client-connection.ts";
import { RequestSlot, type RequestSlots } from "./limits/request-limit.ts";
import type { SdkAnswer } from "./sdk/sdk-answer.ts";

/** The parts are shared with the other routes. */
interface McpEndpointOptions {
  readonly hosts: HostCheck;
  readonly authentication: BearerAuthentication;
  /** Null: off. */
  readonly rate: RateLimit | null;
  readonly slots: RequestSlots;
  readonly bodies: RequestBodies;
  /** Null: the SDK answers plain messages, too. */
  readonly plain: PlainPath | null;
  readonly sdk: SdkAnswer;
  /** Counts an answer, and returns it. */
  readonly answered: (response: Response) => Response;
  readonly log: Logger;
}

/** A request that has passed the checks before its body. */
interface Admitted {
  readonly request: Request;
  readonly connection: ClientConnection;
  /** Whose limits apply: the name of the token, or the address without one. */
  readonly client: string;
  /** The name of the token; null without one. */
  readonly caller: string | null;
  readonly slot: RequestSlot;
}

export class McpEndpoint {
  constructor(private readonly options: McpEndpointOptions) {}

  async answer(request: Request, connection: ClientConnection): Promise<Response> {
    const { hosts, answered } = this.options;
    const refusal = hosts.refusal(request, "/mcp");
    if (refusal !== null) return answered(refusalForStrangers(refusal));
    try {
      const checked = this.#admitted(request, connection);
      const admitted = checked instanceof Promise ? await checked : checked;
      const answer = "slot" in admitted ? await this.#answerTo(admitted) : admitted;
      return answered(responseTo(request, answer));
    } catch (error) {
      this.options.log.error("POST /mcp failed: {error}", { error: errorStack(error) });
      return answered(responseTo(request, internalError()));
    }
  }

  /** The checks before the body. Only a refusal and a rate have to be waited for. */
  #admitted(request: Request, connection: ClientConnection): Admitted | HttpRefusal | Promise<Admitted | HttpRefusal> {
    const { authentication, rate, slots } = this.options;
    const holder = authentication.holderOf(request);
    if (holder === null) return authentication.refusal(connection.address);
    const client = clientName(holder.name, connection);
    const admitted = (): Admitted | HttpRefusal => {
      const slot = slots.take(client);
      return slot instanceof RequestSlot ? { request, connection, client, caller: holder.name, slot } : slot;
    };
    if (rate === null) return admitted();
    return rate.admits(client).then((isWithin) => isWithin ? admitted() : beyond(rate));
  }

  async #answerTo(admitted: Admitted): Promise<Answer> {
    const { request, client, slot } = admitted;
    const { bodies } = this.options;
    const held = bodies.read(request, client);
    try {
      const body = textOf(await held.body);
      if (body.kind !== "whole") return bodies.refusal(body.kind);
      if (!isJsonContentType(request.headers.get("Content-Type"))) return NOT_JSON_TYPE;
      const message = parseJson(body.text);
      const checked = bodyFault(message) ?? this.#batchRefusal(admitted, message);
      const refusal = checked instanceof Promise ? await checked : checked;
      if (refusal !== null) return refusal;
      const answer = this.#answerToMessage(admitted, message);
      return answer instanceof Promise ? await answer : answer;
    } finally {
      held.release();
      slot.free();
    }
  }

  #answerToMessage(admitted: Admitted, message: unknown): Answer | Promise<Answer> {
    const { request, connection, caller, client, slot } = admitted;
    const { plain, sdk, authentication } = this.options;
    connection.setIdleTimeout(CALL_IDLE_SECONDS);
    const isAccepted = () => authentication.holderOf(request)?.name === caller;
    const exchange = { caller, client, isAccepted, freeSlot: () => slot.free() };
    const answer = plain?.answer(request, message, exchange) ?? null;
    if (answer === null || answer instanceof Promise) {
      const running = async () => await answer ?? await sdk(request, { parsedBody: message, exchange });
      return running().then((answer) => ended(answer, connection));
    }
    return ended(answer, connection);
  }

  /** Each message of a batch counts as a request. The first one was counted before the body was read. */
  #batchRefusal({ client }: Admitted, body: unknown): Promise<HttpRefusal | null> | null {
    const { rate } = this.options;
    if (rate === null || !Array.isArray(body) || body.length <= 1) return null;
    const { length } = body;
    const refusal = `A batch of ${length} counts as ${length} requests, and the limit is ${rate.perSecond} a second: ` +
      "send smaller batches, or try again.";
    return rate.admits(client, length - 1).then((isWithin) => isWithin ? null : tooMany(refusal));
  }
}

const NOT_JSON_TYPE: HttpRefusal = {
  status: 415,
  code: "unsupported_media_type",
  message: "Content-Type must be application/json.",
};

/** An event stream that is still being sent keeps the longer timeout. */
function ended(answer: Response | PlainBody, connection: ClientConnection): Answer {
  if (!isStillSent(answer)) connection.setIdleTimeout(IDLE_SECONDS);
  return answer;
}
