// The HTTP response of an answer to POST /mcp, with the headers that every answer has.

import { isJsonContentType } from "@modelcontextprotocol/server";
import { addCrossOriginHeaders } from "../../common/http/cors.ts";
import { type HttpRefusal, refusalResponse } from "../../common/http/refusal.ts";
import { addSecurityHeaders } from "../../common/http/security-headers.ts";
import type { PlainBody } from "./plain/plain-transport.ts";

/** From the SDK, past it, or from a check. */
export type Answer = Response | PlainBody | HttpRefusal;

/** Whether the body comes in parts. */
export function isStillSent(answer: Response | PlainBody): boolean {
  if (answer instanceof Response) return !isJsonContentType(answer.headers.get("Content-Type"));
  return typeof answer.body !== "string";
}

const PLAIN_HEADERS = {
  json: { "Content-Type": "application/json" },
  stream: {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache, no-transform",
    Connection: "keep-alive",
    "X-Accel-Buffering": "no",
  },
};

/** All headers of an answer to a request without an Origin. Made once, since nearly every answer has one of them. */
const COMPLETE_HEADERS: Readonly<Record<PlainBody["type"], Headers>> = {
  json: complete(PLAIN_HEADERS.json),
  stream: complete(PLAIN_HEADERS.stream),
};

function complete(own: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(own);
  addSecurityHeaders(headers);
  addCrossOriginHeaders(headers, null);
  return headers;
}

/** A refusal that a page from a foreign origin can't read. */
export function refusalForStrangers(refusal: HttpRefusal): Response {
  const response = refusalResponse(refusal);
  addSecurityHeaders(response.headers);
  return response;
}

/** The response with the headers that every answer has. */
export function responseTo(request: Request, answer: Answer): Response {
  const origin = request.headers.get("Origin");
  if (!(answer instanceof Response) && "body" in answer && origin === null) {
    return new Response(answer.body, { headers: COMPLETE_HEADERS[answer.type] });
  }
  const response = responseOf(answer);
  addSecurityHeaders(response.headers);
  addCrossOriginHeaders(response.headers, origin);
  return response;
}

function responseOf(answer: Answer): Response {
  if (answer instanceof Response) return answer;
  return "body" in answer
    ? new Response(answer.body, { headers: PLAIN_HEADERS[answer.type] })
    : refusalResponse(answer);
}
