// Failures between mkt and the engine: each gives a clear result, and the process keeps running. mutation.test.ts has users who
// may not connect, and the limits on one order.

import { expect, test } from "bun:test";
import { clientHere } from "../support/in-process.ts";
import { connected, failure, succeed } from "../support/official-client.ts";
import { NO_BACKEND } from "../support/http-requests.ts";
import { NORTH, startPowerMarket } from "../support/power-market.ts";
import { until } from "../support/until.ts";

const market = await startPowerMarket();

test("the engine is not there: backend_unavailable, naming the address", async () => {
  const client = await clientHere(NO_BACKEND);
  const listed = await client.call("mkt_list_entities");
  expect(listed).toMatchObject({ isError: true, value: { error: { code: "backend_unavailable" } } });
  expect(listed.text).toContain("http://127.0.0.1:1");
  const refused = await client.call("mkt_connect_pubsub");
  expect(refused).toMatchObject({
    isError: true,
    structured: { status: "error", error: { code: "backend_unavailable" } },
  });
  expect(refused.text).toContain("ws://127.0.0.1:1/ws");
  expect((await succeed(client, "mkt_ping"))["status"]).toBe("ok");
});

test("the engine ends: reads are stale, mutations not_connected, and mkt reconnects", async () => {
  const engine = await startPowerMarket();
  const client = await connected(clientHere(engine.environmentFor("anna")));
  expect((await succeed(client, "mkt_list_products"))["stale"]).toBeUndefined();
  await engine.stop();
  const stale = await until(() => succeed(client, "mkt_list_products"), (value) => value["stale"] === true);
  expect(stale).toMatchObject({ count: 2, asOf: expect.stringMatching(/^\d{4}-/) });
  const order = { contractId: NORTH, side: "BUY", price: 100, quantity: 1 };
  expect(await failure(client, "mkt_create_test_order", order)).toMatchObject({
    status: "not_connected",
    orderId: null,
  });
  expect((await succeed(client, "mkt_connection_status"))["connections"]).toMatchObject({
    pubsub: { status: "reconnecting" },
  });
  await startPowerMarket({ port: engine.port });
  await until(() => succeed(client, "mkt_list_products"), (value) => value["stale"] === undefined);
  expect(await succeed(client, "mkt_create_test_order", order)).toMatchObject({ status: "success" });
});

test("a wrong token: forbidden, naming MKT_BEARER_TOKEN", async () => {
  const engine = await startPowerMarket({ token: "right" });
  const client = await clientHere({
    ...engine.environmentFor("anna"),
    MKT_BEARER_TOKEN: "wrong",
  });
  for (const [tool, input] of [["mkt_connect_pubsub", {}], ["mkt_list_users", {}]] as const) {
    const answer = await client.call(tool, input);
    expect(answer).toMatchObject({ isError: true, value: { error: { code: "forbidden" } } });
    expect(answer.text).toContain("MKT_BEARER_TOKEN");
  }
  const right = await clientHere({ ...engine.environmentFor("anna"), MKT_BEARER_TOKEN: "right" });
  expect(await succeed(right, "mkt_connect_pubsub")).toMatchObject({ status: "success" });
  expect((await succeed(right, "mkt_list_users"))["count"]).toBe(6);
});

test("MKT_MAX_OPEN_ORDERS, MKT_MAX_OPEN_NOTIONAL and MKT_MAX_NET_POSITION hold over many orders", async () => {
  const order = { contractId: NORTH, side: "BUY", price: 1, quantity: 1 };
  const hour = 24;
  for (
    const [variable, value] of [
      ["MKT_MAX_OPEN_ORDERS", "2"],
      ["MKT_MAX_OPEN_NOTIONAL", String(2 * hour / 100)],
      ["MKT_MAX_NET_POSITION", "2"],
    ]
  ) {
    await succeed(await market.trader("operator"), "mkt_flush_all_orders", { confirm: true });
    const client = await market.trader("cleo", { [variable ?? ""]: value ?? "" });
    await succeed(client, "mkt_create_test_order", order);
    await succeed(client, "mkt_create_test_order", order);
    const refused = await client.call("mkt_create_test_order", order);
    expect(refused).toMatchObject({ structured: { status: "rejected", error: { code: "limit_exceeded" } } });
  }
});

test("MKT_AUTO_CONNECT has connected before the first call is answered", async () => {
  const { environmentFor } = await startPowerMarket();
  const environment = { ...environmentFor("anna"), MKT_AUTO_CONNECT: "1" };
  for (let start = 1; start <= 5; start++) {
    const client = await clientHere(environment);
    expect(await succeed(client, "mkt_get_market_state")).toMatchObject({ id: "power" });
    await client.close();
  }
});

test("MKT_AUTO_CONNECT connects at start-up, also when the engine comes later", async () => {
  const probe = await startPowerMarket();
  const { port } = probe;
  const environment = probe.environmentFor("anna");
  await probe.stop();
  const client = await clientHere({ ...environment, MKT_AUTO_CONNECT: "1" });
  await startPowerMarket({ port });
  const status = await until(
    () => succeed(client, "mkt_connection_status"),
    (value) => (value["connections"] as { pubsub: { status: string } }).pubsub.status === "connected",
  );
  expect(status["connections"]).toMatchObject({ pubsub: { userId: "anna" } });
});
