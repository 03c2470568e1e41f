// A tool call, from arguments to result. The dispatcher, with call log and metrics as in a server, is compared with the bare
// handler and the JSON text of its value. Our server, called by an official client, is compared with the SDK's server for
// the same tool.

import { deepStrictEqual } from "node:assert";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolCatalogue } from "../core/dispatch/catalogue.ts";
import { Dispatcher } from "../core/dispatch/dispatcher.ts";
import type { JsonAnswer } from "../core/dispatch/result.ts";
import { CallLog } from "../core/guardrails/call-log.ts";
import { Metrics } from "../core/server/metrics.ts";
import type { Services, ToolContext } from "../core/tools/context.ts";
import type { Tool } from "../core/tools/tool.ts";
import watchTools from "../plugins/monitor/watch.ts";
import marketTools from "../plugins/query/market.ts";
import orderTools from "../plugins/query/orders.ts";
import { filledBuffer } from "./event-buffer.ts";
import { connected, type MakeServer, mktServers } from "./in-memory.ts";
import { ENGINES, STRIDE } from "./market-data.ts";
import { EPOCH, makeEvents } from "./market-events.ts";
import { marketSnapshot } from "./order-book-read.ts";
import { registeringServers } from "./registered-tools.ts";
import { type Case, type Prepare, SIZES, type Suite } from "./suite.ts";
import { CALL_SCOPE, SCOPE, servicesOver, toolNamed } from "./tool-context.ts";

interface Called {
  readonly tool: Tool;
  /** The arguments of a call, by its number. */
  readonly input: (call: number, items: number) => Record<string, unknown>;
}

const GET_ORDER: Called = {
  tool: toolNamed("mkt_get_order", orderTools),
  input: (call, items) => ({ orderId: `order-${(STRIDE * call) % items}` }),
};

const CALLED: readonly Called[] = [
  GET_ORDER,
  {
    tool: toolNamed("mkt_get_order_book", marketTools),
    input: (call) => ({ contractId: `contract-${call % ENGINES}` }),
  },
  {
    tool: toolNamed("mkt_watch_orders", watchTools),
    input: (call, items) => ({ limit: 10, since: EPOCH + items - 60 - call % 8 }),
  },
  { tool: toolNamed("mkt_list_orders", orderTools), input: () => ({ limit: 10 }) },
];

function servicesWith(items: number): Services {
  return { ...servicesOver(marketSnapshot(items)), events: filledBuffer(makeEvents(items)) };
}

/** The JSON text of what the bare handler gives. */
async function handled({ handler }: Tool, input: Record<string, unknown>, context: ToolContext): Promise<string> {
  return JSON.stringify(await handler(input, context));
}

const throughDispatcher = ({ tool, input }: Called): Prepare => (items) => {
  const folder = mkdtempSync(join(tmpdir(), "mkt-bench-"));
  const target = join(folder, "calls");
  const log = new CallLog({ target, secrets: () => ["x".repeat(40)], now: Date.now });
  const metrics = new Metrics();
  const services = servicesWith(items);
  const dispatcher = new Dispatcher(new ToolCatalogue([tool]), services, (record) => {
    metrics.record(record);
    log.record(record);
  });
  const logged = () => statSync(target, { throwIfNoEntry: false })?.size ?? 0;
  let calls = 0;
  const run = () => dispatcher.call(tool.name, input(calls++, items), CALL_SCOPE);
  return {
    run,
    check: async () => {
      const before = logged();
      const expected = await handled(tool, input(calls, items), { ...services, ...SCOPE });
      const { text, isError } = await run() as JsonAnswer;
      deepStrictEqual({ text, isError }, { text: expected, isError: false });
      deepStrictEqual(logged() > before, true);
      deepStrictEqual((await metrics.text()).includes(`_count{tool="${tool.name}"} ${calls}\n`), true);
    },
    end: () => Promise.resolve(rmSync(folder, { recursive: true })),
  };
};

const bareHandler = ({ tool, input }: Called): Prepare => (items) => {
  const context = { ...servicesWith(items), ...SCOPE };
  let calls = 0;
  const run = () => handled(tool, input(calls++, items), context);
  return { run, check: async () => deepStrictEqual(JSON.parse(await run()).error, undefined) };
};

const throughServer =
  (serversOf: (tools: readonly Tool[], services: Services) => MakeServer): Prepare => async (items) => {
    const { tool, input } = GET_ORDER;
    const services = servicesWith(items);
    const { client, close } = await connected(serversOf([tool], services));
    // As real clients do. The client then checks every result against the output schema.
    await client.listTools();
    let calls = 0;
    const run = () => client.callTool({ name: tool.name, arguments: input(calls++, items) });
    return {
      run,
      check: async () => {
        const text = await handled(tool, input(calls, items), { ...services, ...SCOPE });
        const { content, structuredContent } = await run();
        deepStrictEqual({ content, structuredContent }, {
          content: [{ type: "text", text }],
          structuredContent: JSON.parse(text),
        });
      },
      end: close,
    };
  };

export default {
  name: "dispatch",
  description: "A tool call, by number of orders in the snapshot and of events in the buffer; lists of 10 items",
  sizes: SIZES,
  cases: [
    ...CALLED.map((called): Case => ({
      name: called.tool.name,
      peerName: "bare handler, JSON.stringify",
      mkt: throughDispatcher(called),
      peer: bareHandler(called),
    })),
    {
      name: "mkt_get_order, server and official client",
      peerName: "SDK registerTool",
      mkt: throughServer(mktServers),
      peer: throughServer(registeringServers),
    },
  ],
} satisfies Suite;
