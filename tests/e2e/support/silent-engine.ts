// An engine that welcomes a client and gives it a snapshot, but never confirms a request: the fault that a real engine
// can't be made to show on purpose.

import { atEnd } from "../../support/at-end.ts";
import { MODULES } from "../../../protocol/modules/registry.ts";

const NOW = "2026-01-01T00:00:00.000Z";

/** One contract, its engine and one working order. */
const STATES = [
  state("MARKET", "m", {
    name: "M",
    code: "M",
    timezone: "UTC",
    nodes: ["N"],
    status: "open",
    halted: false,
    haltReason: null,
    preopen: null,
    open: null,
    close: null,
    currentTime: NOW,
  }),
  state("CONTRACT", "c", {
    productId: "p",
    productCode: "P",
    marketId: "m",
    engineId: "e",
    name: "C",
    code: "C",
    node: "N",
    deliveryStart: "2099-01-01T00:00:00.000Z",
    deliveryEnd: "2099-01-02T00:00:00.000Z",
    hours: 24,
    lot: 1,
    tick: 1,
    minimumPrice: -50000,
    maximumPrice: 500000,
    status: "listed",
  }),
  state("ENGINE", "e", {
    contractId: "c",
    productCode: "P",
    marketId: "m",
    bids: [],
    asks: [],
    bestBid: null,
    bestAsk: null,
    lastPrice: null,
    totalWorkingOrders: 1,
    heldOrders: 0,
    tradedQuantity: 0,
    lastUpdate: NOW,
  }),
  state("ORDER", "o", {
    clientOrderId: "o",
    engineId: "e",
    contractId: "c",
    productCode: "P",
    marketId: "m",
    entityId: "aurora",
    userId: "anna",
    side: 0,
    timeInForce: "gtc",
    createdAt: NOW,
    price: 1,
    quantity: 1,
    filledQuantity: 0,
    remainingQuantity: 1,
    averagePrice: null,
    status: "working",
    closeReason: null,
    updatedAt: NOW,
  }),
];

function state(type: keyof typeof MODULES, id: string, data: Record<string, unknown>) {
  return { statePath: `/${type}/${id}`, state: { id, ...data } };
}

export function startSilentEngine() {
  const requests: Record<string, unknown>[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request, server) {
      if (server.upgrade(request, { data: undefined })) return;
      return Response.json({ status: "ok", engineId: "silent" });
    },
    websocket: {
      message(socket, text) {
        const message = JSON.parse(String(text)) as Record<string, unknown>;
        if (message["kind"] === "hello") {
          const welcome = {
            kind: "welcome",
            engineId: "silent",
            userId: message["userId"],
            entityId: "aurora",
            capabilities: ["Market.View", "Market.Operate", "Order.Submit"],
            epoch: 1000,
            sequence: 1000,
            time: NOW,
          };
          socket.send(JSON.stringify([welcome, ...STATES, { kind: "snapshotEnd", sequence: 1000 }]));
        }
        if (message["kind"] === "ping") socket.send(JSON.stringify({ kind: "pong", time: NOW }));
        if (message["kind"] === "request") requests.push(message);
      },
    },
  });
  atEnd(() => server.stop(true));
  return {
    /** The requests that came and were never answered. */
    requests,
    environmentFor: (userId: string): Record<string, string> => ({
      MKT_HOST: `127.0.0.1:${server.port}`,
      MKT_BASE_URL: `http://127.0.0.1:${server.port}`,
      MKT_USER_ID: userId,
    }),
  };
}
