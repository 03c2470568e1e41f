// Progress and cancellation with the compiled executable and the official clients, on every transport and in every era that
// they have. The engine stands still for a while (SIGSTOP), so that calls wait for it.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { RunningEngineProcess } from "../support/executable.ts";
import { until } from "../support/until.ts";
import { followed, type LoggedCall, loggingServer, waited } from "./support/followed-call.ts";
import { called, canCancelOne, type FollowedClient, KINDS, nameOf, type Step } from "./support/followed-client.ts";
import { NORTH, startMarket } from "./support/market.ts";

let engine: RunningEngineProcess;

beforeAll(async () => {
  engine = await startMarket();
});

/** Runs `work` while the engine stands still. */
async function withoutEngine<Value>(work: (goOn: () => void) => Promise<Value>): Promise<Value> {
  const goOn = () => engine.kill("SIGCONT");
  engine.kill("SIGSTOP");
  try {
    return await work(goOn);
  } finally {
    goOn();
  }
}

function order(price: number) {
  return { contractId: NORTH, side: "BUY", price, quantity: 1, idempotencyKey: crypto.randomUUID() };
}

describe.each(KINDS.map((kind) => [nameOf(kind), kind] as const))("client %s", (_name, kind) => {
  let client: FollowedClient;
  let newClient: () => Promise<FollowedClient>;
  let logged: () => LoggedCall[];

  beforeAll(async () => {
    // Fewer requests than the tests make: those that are cancelled must give back their places.
    const limits = { MCP_MAX_REQUESTS: "9" };
    ({ newClient, logged } = await loggingServer(kind, { ...engine.environmentFor("operator"), ...limits }));
    client = await newClient();
    expect(await called(client, "mkt_connect_pubsub")).toMatchObject({ status: "success" });
  });

  afterAll(() => {
    expect(client.faults).toEqual([]);
  });

  const endedCalls = (name: string, from: number) =>
    logged().slice(from).filter(({ tool, resource }) => (tool ?? resource) === name);

  /** Sends a request, cancels it at its first step of progress, and gives this step and the record. */
  async function cancelled(name: string, method: string, params: Record<string, unknown>) {
    const from = logged().length;
    const cancelling = new AbortController();
    const caller = canCancelOne(kind) ? client : await newClient();
    const steps: Step[] = [];
    const onprogress = (step: Step) => {
      steps.push(step);
      if (canCancelOne(kind)) cancelling.abort("enough");
      else void caller.close();
    };
    const answer = caller.request(method, params, { onprogress, signal: cancelling.signal });
    expect(await answer.then(() => "answered", () => "ended")).toBe("ended");
    const [record] = await until(() => endedCalls(name, from), ({ length }) => length === 1);
    expect(record).toMatchObject({ outcome: "given_up" });
    return { step: steps[0], record };
  }

  const cancelledCall = (name: string, input: Record<string, unknown> = {}) =>
    cancelled(name, "tools/call", { name, arguments: input });

  test("cancelled calls end at once, and say before how long they wait", async () => {
    const input = order(301);
    const resource = "mkt://positions/{entityId}";
    const [sent, waits, users, audit, simulator] = await withoutEngine(() =>
      Promise.all([
        cancelledCall("mkt_create_test_order", input),
        cancelledCall("mkt_watch_market", { contractId: NORTH, waitSeconds: 30 }),
        cancelledCall("mkt_list_users"),
        cancelledCall("mkt_get_audit_log"),
        cancelledCall("mkt_sim_status"),
        cancelled(resource, "resources/read", { uri: "mkt://positions/aurora" }),
      ])
    );
    expect(sent.step).toEqual(waited("Sent, waits for the market's confirmation", 15));
    expect(waits.step).toEqual(waited("Waits for the next event", 30));
    expect(users.step).toEqual(waited("Waits for the backend's answer"));
    expect(audit.step).toEqual(waited("Searches the audit trail"));
    expect(simulator.step).toEqual(waited("Waits for the simulator's answer"));

    // The order was sent. A repeat with its key gives the outcome, and makes no second order.
    expect(sent.record?.arguments).toMatchObject({ idempotencyKey: input.idempotencyKey });
    expect(await called(client, "mkt_create_test_order", input)).toMatchObject({
      status: "success",
      clientOrderId: input.idempotencyKey,
    });
    const filters = { clientOrderId: input.idempotencyKey };
    expect(await called(client, "mkt_find_modules", { moduleType: "ORDER", filters })).toMatchObject({ total: 1 });
  });

  test("calls with progress end with their answer, and a call without a token gets no progress", async () => {
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
    expect(made.value).toMatchObject({ status: "success" });
    expect(users.value).toMatchObject({ total: 6 });
    expect(audit.value).toMatchObject({ hasMore: expect.any(Boolean) });
    expect(entities).toMatchObject({ total: 3 });
  });

  test("connecting says how long it takes; a cancelled connect leaves no connection", async () => {
    const first = waited("Connects as operator and loads the market");
    await called(client, "mkt_disconnect_pubsub");
    const { step } = await withoutEngine(() => cancelledCall("mkt_connect_pubsub"));
    expect(step).toEqual(first);
    const disconnected = { connections: { pubsub: { status: "disconnected" } } };
    expect(await called(client, "mkt_connection_status")).toMatchObject(disconnected);
    const { value, steps } = await withoutEngine((goOn) => followed(client, "mkt_connect_pubsub", {}, goOn));
    expect(value).toMatchObject({ status: "success" });
    expect(steps[0]).toEqual(first);
  });

  // The others cancel with it, as the tests above show.
  if (canCancelOne(kind)) return;

  test("a notification cancels nothing, since other clients use the same ids", async () => {
    const other = await newClient();
    const from = logged().length;
    const cancelling = new AbortController();
    const input = { contractId: NORTH, waitSeconds: 2 };
    const onprogress = () => cancelling.abort();
    const call = called(other, "mkt_watch_market", input, { onprogress, signal: cancelling.signal });
    expect(await call.then(() => "answered", () => "ended")).toBe("ended");
    const ended = await until(() => endedCalls("mkt_watch_market", from), ({ length }) => length === 1);
    expect(ended).toMatchObject([{ outcome: "ok" }]);
  });
});
