// An MCP server under load, over HTTP: each request is a tool call. The server acts as its one user, on its one connection to
// an engine. A connection here carries one call at a time, so a call that is due while the connection is busy waits; its
// latency counts from when it was due.

import { z } from "zod";
import { connectionFault } from "../protocol/client/connection-fault.ts";
import { BUY } from "../protocol/sides.ts";
import { ANSWER_LIMIT_MS, type Operation, type Outcome, type Target, type TradedContract } from "./operation.ts";

interface McpTargetOptions {
  readonly url: string;
  readonly connections: number;
  /** Null: the server asks for none. */
  readonly token: string | null;
}

interface Call {
  readonly operation: Operation;
  readonly settle: (outcome: Outcome) => void;
  /** By `performance.now`. */
  readonly giveUpAt: number;
}

const PROTOCOL_VERSION = "2025-11-25";
const CONTRACTS_LISTED = 50;
const CONTRACT_FIELDS = ["lot", "tick", "minimumPrice", "maximumPrice", "bestBid", "bestAsk", "lastPrice"];
const TOOLS = { submit: "mkt_create_test_order", cancel: "mkt_cancel_order" } as const;

const toolResult = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ text: z.string().optional() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});
type ToolResult = z.infer<typeof toolResult>;

type Answer =
  | { readonly kind: "answered"; readonly result: ToolResult }
  | { readonly kind: "failed"; readonly code: string; readonly fault?: string }
  /** It may have been carried out. */
  | { readonly kind: "unknown"; readonly fault: string };

const errorReport = z.looseObject({ code: z.string(), message: z.string().optional() });
const orderAnswer = z.looseObject({
  status: z.string(),
  reason: z.string().optional(),
  error: errorReport.optional(),
  orderDetails: z.looseObject({
    id: z.string(),
    closeReason: z.string().nullable(),
    averagePrice: z.number().nullable(),
  }).nullable().optional(),
});
const contractList = z.looseObject({
  modules: z.array(z.looseObject({
    id: z.string(),
    lot: z.number(),
    tick: z.number(),
    minimumPrice: z.number(),
    maximumPrice: z.number(),
    bestBid: z.number().nullish(),
    bestAsk: z.number().nullish(),
    lastPrice: z.number().nullish(),
  })),
});

export class McpTarget implements Target {
  readonly reconnects = 0;
  /** Calls that wait for their connection. */
  readonly #queues: readonly Call[][];
  readonly #isBusy: boolean[];
  #calls = 0;

  constructor(private readonly options: McpTargetOptions) {
    this.#queues = Array.from({ length: options.connections }, () => []);
    this.#isBusy = this.#queues.map(() => false);
  }

  async open(): Promise<void> {
    await this.#tool("mkt_connect_pubsub", {});
  }

  async contracts(until: number): Promise<readonly TradedContract[]> {
    const answer = await this.#tool("mkt_find_modules", {
      moduleType: "CONTRACT",
      filters: { status: "listed", deliveryStart: { value: new Date(until).toISOString(), operator: "gt" } },
      sort: "deliveryStart",
      limit: CONTRACTS_LISTED,
      fields: CONTRACT_FIELDS,
    });
    const found = contractList.safeParse(answer);
    if (!found.success) throw new Error(`mkt_find_modules at ${this.options.url}: the answer can't be read`);
    return found.data.modules.map(({ id, lot, tick, minimumPrice, maximumPrice, bestBid, bestAsk, lastPrice }) => {
      const mid = bestBid != null && bestAsk != null ? (bestBid + bestAsk) / 2 : lastPrice ?? null;
      return { id, lot, tick, minimumPrice, maximumPrice, referencePrice: mid };
    });
  }

  send(connection: number, operation: Operation, settle: (outcome: Outcome) => void): void {
    this.#queues[connection]!.push({ operation, settle, giveUpAt: performance.now() + ANSWER_LIMIT_MS });
    if (!this.#isBusy[connection]) void this.#work(connection);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #work(connection: number): Promise<void> {
    this.#isBusy[connection] = true;
    const queue = this.#queues[connection]!;
    for (let call = queue.shift(); call !== undefined; call = queue.shift()) {
      call.settle(await this.#outcomeOf(call));
    }
    this.#isBusy[connection] = false;
  }

  async #outcomeOf({ operation, giveUpAt }: Call): Promise<Outcome> {
    const left = giveUpAt - performance.now();
    if (left <= 0) return { kind: "not_sent" };
    const [name, args] = toolCallOf(operation);
    const answer = await this.#call(name, args, left);
    if (answer.kind === "answered") return orderOutcome(answer.result);
    return answer.kind === "failed" ? { kind: "failed", code: answer.code } : { kind: "unknown" };
  }

  /** A call before the run. Throws if it fails. */
  async #tool(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown> {
    const answer = await this.#call(name, args, ANSWER_LIMIT_MS);
    const { url } = this.options;
    if (answer.kind === "unknown") throw new Error(`${name} at ${url}: ${answer.fault}`);
    if (answer.kind === "failed") throw new Error(`${name} at ${url}: ${answer.fault ?? answer.code}`);
    const { isError, content, structuredContent } = answer.result;
    if (isError === true) throw new Error(`${name} at ${url}: ${content[0]?.text ?? "failed"}`);
    return structuredContent;
  }

  async #call(name: string, args: Readonly<Record<string, unknown>>, limitMs: number): Promise<Answer> {
    const { url, token } = this.options;
    const body = { jsonrpc: "2.0", id: ++this.#calls, method: "tools/call", params: { name, arguments: args } };
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": PROTOCOL_VERSION,
          ...(token !== null && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(Math.ceil(limitMs)),
      });
      const text = await response.text();
      if (!response.ok) return { kind: "failed", code: `http_${response.status}` };
      const result = resultIn(text);
      return result === null ? { kind: "failed", code: "unreadable_answer" } : { kind: "answered", result };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ECONNREFUSED") return { kind: "failed", code: "connection_refused", fault: connectionFault(error) };
      // It may have been carried out before the connection broke, or after the time was over.
      return { kind: "unknown", fault: connectionFault(error) };
    }
  }
}

function toolCallOf(operation: Operation): [name: string, args: Readonly<Record<string, unknown>>] {
  if (operation.kind === "submit") {
    const { contractId, side, price, quantity } = operation;
    return [TOOLS.submit, { contractId, side: side === BUY ? "BUY" : "SELL", price, quantity }];
  }
  if (operation.kind === "cancel") return [TOOLS.cancel, { orderId: operation.orderId }];
  throw new Error("no tool changes an order");
}

/** The result in a JSON answer, or in the last event of a stream. Null if there is none. */
function resultIn(text: string): ToolResult | null {
  const json = text.trimStart().startsWith("{")
    ? text
    : text.split("\n").findLast((line) => line.startsWith("data:"))?.slice("data:".length);
  if (json === undefined) return null;
  try {
    const { result } = JSON.parse(json);
    const parsed = toolResult.safeParse(result);
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function orderOutcome({ structuredContent, isError }: ToolResult): Outcome {
  const parsed = orderAnswer.safeParse(structuredContent);
  if (!parsed.success) return { kind: "failed", code: isError === true ? "tool_error" : "unreadable_answer" };
  const { status, reason, error, orderDetails } = parsed.data;
  if (status === "timeout") return { kind: "unknown" };
  if (status === "success" && orderDetails != null) {
    const { id, closeReason, averagePrice } = orderDetails;
    return { kind: "confirmed", order: { id, isOpen: closeReason === null, averagePrice } };
  }
  const code = reason ?? error?.code ?? status;
  return status === "error" ? { kind: "failed", code } : { kind: "refused", code };
}
