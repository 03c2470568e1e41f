import { expect, test } from "bun:test";
import { EVERYONE, PublishedEvent, type PublishedMessage, PublishedState } from "../../../../engine/api/messages.ts";
import { snapshotUpdatesOf } from "../../../../engine/server/publication/snapshot-updates.ts";
import { connect, restingBuy, SELLER, serveTestEngine, submit, TestClient, VIEWER } from "../harness.ts";
import { CuttingProxy } from "../../../support/cutting-proxy.ts";
import { atEnd } from "../../../support/at-end.ts";
import { until } from "../../../support/until.ts";

let sequence = 0;
function event(type: string, data: object): PublishedMessage {
  sequence += 1;
  const text = JSON.stringify({ kind: "event", sequence, type, time: "2026-03-02T15:00:00.000Z", data });
  return new PublishedEvent(sequence, EVERYONE, { text });
}

function state(id: string, isRemoved = false): PublishedMessage {
  const text = JSON.stringify({ statePath: `/USER/${id}`, state: isRemoved ? null : { id } });
  return new PublishedState("USER", id, isRemoved ? "removed" : "set", EVERYONE, { text });
}

test("what an event says about a module becomes a state, in order with other states and removals", () => {
  const order = event("change.order", { id: "ORD-1", status: "working" });
  const market = event("halt.market", { marketId: "PLAINS" });
  const messages = [state("anna"), order, market, state("anna", true)];
  expect(snapshotUpdatesOf(messages)).toEqual({
    states: [
      messages[0]!.text,
      '{"statePath":"/ORDER/ORD-1","state":{"id":"ORD-1","status":"working"}}',
      messages[3]!.text,
    ].join(),
    events: `${order.text},${market.text}`,
    books: [],
  });
});

test("a changed book is to be read again", () => {
  expect(snapshotUpdatesOf([event("change.book", { contractId: "C-1", bids: [] })]).books).toEqual(["C-1"]);
});

test("a snapshot that is read slowly, and is far larger than the limit, is true as of its end", async () => {
  const engine = serveTestEngine({ limits: { sendQueueBytes: 64 << 10 } });
  // More than the sockets and the proxy hold, so the rest is made after the changes below.
  for (let number = 0; number < 12_000; number++) submit(engine, `order-${number}`);
  const seller = await connect(engine, SELLER);
  const proxy = await CuttingProxy.to(engine.port);
  atEnd(() => proxy[Symbol.asyncDispose]());
  const client = await new TestClient(proxy.url).opened();
  proxy.pause();
  await client.hello({ userId: VIEWER });
  await until(() => seller.events.some(({ data }) => data["userId"] === VIEWER), "the connection");
  const sell = await seller.request("order.submit", { ...restingBuy(engine.contractId), side: 1, quantity: 7 });
  expect(sell.status).toBe("ok");
  proxy.resume();
  await client.message("event");
  const end = client.kinds.indexOf("snapshotEnd");
  const shown = new Map(
    client.messages.slice(0, end).flatMap((message) =>
      "statePath" in message ? [[message.statePath, message.state] as const] : []
    ),
  );
  expect([...shown.keys()].filter((path) => path.startsWith("/ORDER/"))).toHaveLength(12_001);
  expect(client.kinds.indexOf("event")).toBeGreaterThan(end);
  const { id } = sell.result!["order"] as { id: string };
  expect(shown.get(`/ORDER/${id}`)).toEqual(sell.result!["order"] as never);
  const book = JSON.parse(engine.engine.bookState(engine.contractId)!.text);
  expect(shown.get(book.statePath)).toEqual(book.state);
});
