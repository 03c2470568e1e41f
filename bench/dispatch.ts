// A tool call, from arguments to result: mkt_get_order. The dispatcher is compared with the bare handler. Our server,
// called by an official client, is compared with the SDK's server for the same tool.

import { deepStrictEqual } from "node:assert";
import { ToolCatalogue } from "../core/dispatch/catalogue.ts";
import { Dispatcher } from "../core/dispatch/dispatcher.ts";
import { callToolResult } from "../core/dispatch/result.ts";
import type { Services } from "../core/tools/context.ts";
import { wholeModule } from "../plugins/toolkit/columns.ts";
import orderTools from "../plugins/query/order.ts";
import { connected, type MakeServer, mktServers } from "./in-memory.ts";
import { makeOrders, stateMessage, STRIDE } from "./market-data.ts";
import { registeringServers } from "./registered-tools.ts";
import { type Prepare, SIZES, type Subject, type Suite } from "./suite.ts";
import { SCOPE, servicesOver, snapshotOf, toolNamed } from "./tool-context.ts";

const TOOL = toolNamed("mkt_get_order", orderTools);

interface Answer {
  readonly structuredContent?: unknown;
  readonly content?: readonly unknown[];
}

type Call = (input: { orderId: string }) => Promise<Answer | null>;

function calling(items: number, call: Call, end?: () => Promise<void>): Subject {
  let calls = 0;
  const nextId = () => `order-${(STRIDE * calls++) % items}`;
  return {
    run: () => call({ orderId: nextId() }),
    check: async () => {
      const orderId = nextId();
      const order = makeOrders(items).find(({ id }) => id === orderId)!;
      const answer = await call({ orderId });
      const value = answer?.structuredContent as Record<string, unknown>;
      // The message depends on the order's status.
      deepStrictEqual({ ...value, message: "" }, { ...wholeModule(order), blockedBy: [], message: "" });
      deepStrictEqual(answer?.content, [{ type: "text", text: JSON.stringify(value) }]);
    },
    end,
  };
}

function servicesWithOrders(items: number): Services {
  return servicesOver(snapshotOf(makeOrders(items).map((order) => stateMessage("ORDER", order))));
}

const throughDispatcher: Prepare = (items) => {
  const dispatcher = new Dispatcher(new ToolCatalogue([TOOL]), servicesWithOrders(items));
  return calling(items, async (input) => {
    const answer = await dispatcher.call(TOOL.name, input, SCOPE);
    return answer === null ? null : callToolResult(answer);
  });
};

const bareHandler: Prepare = (items) => {
  const context = { ...servicesWithOrders(items), ...SCOPE };
  return calling(items, async (input) => {
    const value = await TOOL.handler(input, context);
    return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
  });
};

const throughServer =
  (serversOf: (tools: readonly [typeof TOOL], services: Services) => MakeServer): Prepare => async (items) => {
    const { client, close } = await connected(serversOf([TOOL], servicesWithOrders(items)));
    // As real clients do. The client then checks every result against the output schema.
    await client.listTools();
    return calling(items, (input) => client.callTool({ name: TOOL.name, arguments: input }), close);
  };

export default {
  name: "dispatch",
  description: "A call of mkt_get_order, by number of orders in the snapshot",
  sizes: SIZES,
  cases: [
    { name: "dispatcher alone", peerName: "bare handler", mkt: throughDispatcher, peer: bareHandler },
    {
      name: "server and official client",
      peerName: "SDK registerTool",
      mkt: throughServer(mktServers),
      peer: throughServer(registeringServers),
    },
  ],
} satisfies Suite;
