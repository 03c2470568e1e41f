// A server that only keeps its handlers, and requests that say how they were run.

import type { McpServer } from "@modelcontextprotocol/server";
import type { PackRequest } from "../../../../../core/dispatch/pack-requests.ts";
import { ownSignal } from "../../../../support/own-signal.ts";

type Handler = (request: object, context?: unknown) => Promise<unknown>;

/** What a handler asks of PackRequests, in order. */
interface Asked {
  readonly run: [PackRequest, Record<string, unknown>][];
  readonly unknown: unknown[];
  readonly looked: PackRequest[];
  /** What a check refuses the next request with. */
  refusal?: Error;
}

export const CALL = { pubsub: { status: "connected", incomplete: false }, snapshot: { asOf: "then" } };
const signal = ownSignal();
export const CONTEXT = { mcpReq: { signal, id: 7, requestState: () => undefined, envelope: {} }, http: {} };
/** The scope of CONTEXT. */
export const SCOPE = { signal, caller: "stdio", origin: { transport: "http", id: 7 } };

export function served(serve: (mcp: McpServer, requests: never) => void) {
  const handlers = new Map<string, Handler>();
  const asked: Asked = { run: [], unknown: [], looked: [] };
  const setRequestHandler = (method: string, ...given: unknown[]) => handlers.set(method, given.at(-1) as Handler);
  const requests = {
    actingUser: "anna",
    run: async (request: PackRequest, scope: Record<string, unknown>, handle: (call: object) => unknown) => {
      asked.run.push([request, scope]);
      if (asked.refusal !== undefined) throw asked.refusal;
      return await handle({ ...CALL, ...scope });
    },
    contextFor: (request: PackRequest) => {
      asked.looked.push(request);
      return CALL;
    },
    recordUnknown: (...what: unknown[]) => void asked.unknown.push(what),
  };
  const mcp = {
    server: { setRequestHandler, getClientCapabilities: () => ({ elicitation: {} }) },
  } as unknown as McpServer;
  serve(mcp, requests as never);
  const call = async (method: string, params: object = {}) => await handlers.get(method)!({ params }, CONTEXT);
  return { asked, call, mcp, handlers };
}
