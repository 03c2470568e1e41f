// Progress and cancellation by the official clients, on every transport and in every era that they have. A proxy holds back
// what is sent to the engine, so that calls wait for it. Mostly the tests wait for the progress of a second, so those of
// different clients run at the same time, each client with an engine of its own.

import { afterAll, describe, expect, test } from "bun:test";
import { MAX_WAIT_SECONDS } from "../../../../core/tools/context.ts";
import { atEnd } from "../../../support/at-end.ts";
import { CuttingProxy } from "../../../support/cutting-proxy.ts";
import { until } from "../../../support/until.ts";
import { cancelled, type CancelledRequest, followed, loggingServer, waited } from "./followed-call.ts";
import { called, canCancelOne, type Kind, KINDS, nameOf } from "./followed-client.ts";
import { NORTH, startPowerMarket } from "../../../support/power-market.ts";

interface Connections {
  readonly pubsub: { readonly status: string };
}

async function openWorld(kind: Kind) {
  const engine = await startPowerMarket();
  // Fewer requests than the tests make: those that are cancelled must give back their places.
  const limits = { MCP_MAX_REQUESTS: "9", MKT_CONFIRM_TIMEOUT_MS: "15000" };
  const proxy = await CuttingProxy.to(engine.port);
  atEnd(() => proxy[Symbol.asyncDispose]());
  const backend = { MKT_HOST: proxy.address, MKT_BASE_URL: `http://${proxy.address}` };
  const server = await loggingServer(kind, { ...engine.environmentFor("operator"), ...backend, ...limits });
  const client = await server.newClient();
  expect(await called(client, "mkt_connect_pubsub")).toMatchObject({ status: "success" });
  let last: Promise<unknown> = Promise.resolve();
  return {
    client,
    ...server,
    /** If nothing reached the engine for long, mkt has lost its connection. */
    async restored(): Promise<void> {
      const status = () => called(client, "mkt_connection_status");
      await until(status, ({ connections }) => (connections as Connections).pubsub.status === "connected");
    },
    /** Runs `work` while nothing reaches the engine. */
    async withoutEngine<Value>(work: (goOn: () => void) => Promise<Value>): Promise<Value> {
      const goOn = () => proxy.deliver();
      proxy.hold();
      try {
        return await work(goOn);
      } finally {
        goOn();
      }
    },
    /** Runs one of these at a time. */
    alone(work: () => Promise<void>): Promise<void> {
      const result = last.then(work);
      last = result.catch(() => {});
      return result;
    },
  };
}

const worlds = new Map(await Promise.all(KINDS.map(async (kind) => [kind, await openWorld(kind)] as const)));

afterAll(() => {
  for (const { client } of worlds.values()) expect(client.faults).toEqual([]);
});

function order(price: number) {
  return { contractId: NORTH, side: "BUY", price, quantity: 1, idempotencyKey: crypto.randomUUID() };
}

describe.each(KINDS.map((kind) => [nameOf(kind), kind] as const))("client %s", (_name, kind) => {
  const { client, newClient, logged, restored, withoutEngine, alone } = worlds.get(kind)!;

  /** The first step of a cancelled request, and its record. */
  async function ended(...request: CancelledRequest) {
    const caller = canCancelOne(kind) ? client : await newClient();
    const { steps, record } = await cancelled(kind, caller, logged, request);
    return { step: steps[0], record };
  }

  const cancelledCall = (name: string, input: Record<string, unknown> = {}) =>
    ended(name, "tools/call", { name, arguments: input });

  test.concurrent("cancelled calls end at once, and say before how long they wait", () =>
    alone(async () => {
      await restored();
      const input = order(301);
      const resource = "mkt://positions/{entityId}";
      const [sent, waits, users, audit, simulator] = await withoutEngine(() =>
        Promise.all([
          cancelledCall("mkt_create_test_order", input),
          cancelledCall("mkt_watch_market", { contractId: NORTH, waitSeconds: 30 }),
          cancelledCall("mkt_list_users"),
          cancelledCall("mkt_get_audit_log"),
          cancelledCall("mkt_sim_status"),
          ended(resource, "resources/read", { uri: "mkt://positions/aurora" }),
        ])
      );
      expect([sent, waits, users, audit, simulator].map(({ step }) => step)).toEqual([
        waited("Sent, waits for the market's confirmation", 15),
        waited("Waits for the next event", 30),
        waited("Waits for the backend's answer"),
        waited("Searches the audit trail"),
        waited("Waits for the simulator's answer"),
      ]);

      // The order was sent. A repeat with its key gives the outcome, and makes no second order.
      expect(sent.record?.arguments).toMatchObject({ idempotencyKey: input.idempotencyKey });
      const filters = { clientOrderId: input.idempotencyKey };
      // On a busy machine the connection may be lost again.
      const repeat = () => called(client, "mkt_create_test_order", input);
      expect(await until(repeat, ({ status }) => status !== "not_connected"))
        .toMatchObject({ status: "success", ...filters });
      expect(await called(client, "mkt_find_modules", { moduleType: "ORDER", filters })).toMatchObject({ total: 1 });
    }));

  test.concurrent("calls with progress end with their answer, and a call without a token gets no progress", () =>
    alone(async () => {
      await restored();
      const [made, users, audit, entities] = await withoutEngine((goOn) => {
        let waiting = 3;
        const onFirst = () => {
          if (--waiting === 0) goOn();
        };
        return Promise.all([
          followed(client, "mkt_create_test_order", order(101), onFirst),
          followed(client, "mkt_list_users", {}, onFirst),
          followed(client, "mkt_get_audit_log", {}, onFirst),
          called(client, "mkt_list_entities"),
        ]);
      });
      expect([made.value, users.value, audit.value, entities])
        .toMatchObject([{ status: "success" }, { total: 6 }, { hasMore: expect.any(Boolean) }, { total: 3 }]);
    }));

  test.concurrent("connecting says how long it takes; a cancelled connect leaves no connection", () =>
    alone(async () => {
      const first = waited("Connects as operator and loads the market");
      await restored();
      await called(client, "mkt_disconnect_pubsub");
      const { step } = await withoutEngine(() => cancelledCall("mkt_connect_pubsub"));
      expect(step).toEqual(first);
      const disconnected = { connections: { pubsub: { status: "disconnected" } } };
      expect(await called(client, "mkt_connection_status")).toMatchObject(disconnected);
      const { value, steps } = await withoutEngine((goOn) => followed(client, "mkt_connect_pubsub", {}, goOn));
      expect(value).toMatchObject({ status: "success" });
      expect(steps[0]).toEqual(first);
    }));

  // The others cancel with it, as the tests above show.
  if (canCancelOne(kind)) return;

  test.concurrent("a notification cancels nothing, since other clients use the same ids", () =>
    alone(async () => {
      const other = await newClient();
      const from = logged().length;
      const cancelling = new AbortController();
      const input = { waitSeconds: MAX_WAIT_SECONDS };
      const onprogress = () => cancelling.abort();
      const call = called(other, "mkt_watch_market", input, { onprogress, signal: cancelling.signal });
      expect(await call.then(() => "answered", () => "ended")).toBe("ended");
      // The call goes on, and an event answers it.
      expect(await called(client, "mkt_halt_market", { reason: "a test" })).toMatchObject({ status: "success" });
      const records = () => logged().slice(from).filter(({ tool }) => tool === "mkt_watch_market");
      const [record] = await until(records, ({ length }) => length === 1);
      expect(record).toMatchObject({ outcome: "ok" });
      expect(record?.durationMs).toBeLessThan(MAX_WAIT_SECONDS * 1000);
    }));
});
