import { describe, expect, spyOn, test } from "bun:test";
import type { EngineMessage, StateMessage } from "../../../protocol/index.ts";
import {
  BUYER,
  BYSTANDER,
  connect,
  consecutive,
  isKind,
  OPERATOR,
  restingBuy,
  SECRET,
  SELLER,
  serveTestEngine,
  type TestClient,
  type TestEngine,
  VIEWER,
} from "./harness.ts";
import { modulesAfter } from "../../support/client-modules.ts";
import { until } from "../../support/until.ts";
import { maySeeMessage, snapshotOf } from "../../support/executions.ts";

/** The engine's modules that a user may see, without the market's clock. */
function expectedCache(engine: TestEngine, userId: string): Map<string, StateMessage["state"]> {
  const user = engine.engine.user(userId);
  if (user === undefined) throw new Error(`no user ${userId}`);
  const visible = snapshotOf(engine.engine, Date.now()).filter((message) => maySeeMessage(user, message));
  return withoutClock(new Map(visible.map(({ statePath, state }) => [statePath, state])));
}

function withoutClock(cache: Map<string, StateMessage["state"]>): Map<string, StateMessage["state"]> {
  return new Map([...cache].map(([path, state]) => [path, state && { ...state, currentTime: undefined }]));
}

/** The kinds of the messages in a frame; "state" for a state. */
const kindsOf = (frame: readonly EngineMessage[]) => frame.map((message) => "kind" in message ? message.kind : "state");

async function trade(engine: TestEngine, buyer: TestClient, seller: TestClient): Promise<void> {
  const { contractId } = engine;
  expect((await buyer.request("order.submit", restingBuy(contractId))).status).toBe("ok");
  expect((await seller.request("order.submit", { ...restingBuy(contractId), side: 1 })).status).toBe("ok");
}

describe("the snapshot", () => {
  test("has every module that the user may see, once, before snapshotEnd", async () => {
    const engine = serveTestEngine();
    for (const userId of [BUYER, OPERATOR, VIEWER]) {
      const client = await connect(engine, userId);
      const paths = client.states.map(({ statePath }) => statePath);
      expect(new Set(paths).size).toBe(paths.length);
      expect(withoutClock(modulesAfter(client.messages))).toEqual(expectedCache(engine, userId));
      expect(client.kinds.at(-1)).toBe("snapshotEnd");
    }
  });

  test("comes in frames of at most 500 messages", async () => {
    const engine = serveTestEngine();
    for (let number = 0; number < 1500; number++) {
      const payload = { ...restingBuy(engine.contractId), price: 1000 + number % 7 };
      engine.execute({ userId: BUYER, operationId: `order-${number}`, action: "order.submit", payload });
    }
    const client = await connect(engine, OPERATOR);
    expect(client.frames.length).toBeGreaterThan(3);
    for (const frame of client.frames) expect(frame.length).toBeLessThanOrEqual(500);
    expect(withoutClock(modulesAfter(client.messages))).toEqual(expectedCache(engine, OPERATOR));
  });

  test("shows the credit of the user's own entity, or all credit with Scope.Global", async () => {
    const engine = serveTestEngine();
    const credit = async (userId: string) =>
      (await connect(engine, userId)).states.filter(({ statePath }) => statePath.startsWith("/CREDIT/"));
    const own = await credit(BUYER);
    expect(own.length).toBeGreaterThan(0);
    for (const { state } of own) expect(state?.["entityId"]).toBe("RIVERBEND");
    const entities = engine.definition.entities.length;
    expect(await credit(OPERATOR)).toHaveLength(entities * (entities - 1));
    expect(await credit(VIEWER)).toHaveLength(0);
  });
});

describe("the answer to a request", () => {
  test("follows in a frame of its own, after states and then events by number", async () => {
    const engine = serveTestEngine();
    const [buyer, seller] = [await connect(engine, BUYER), await connect(engine, SELLER)];
    const { contractId } = engine;
    expect((await buyer.request("order.submit", restingBuy(contractId))).status).toBe("ok");
    await seller.settled();
    expect((await seller.request("order.submit", { ...restingBuy(contractId), side: 1 })).status).toBe("ok");
    const kinds = seller.frames.map(kindsOf);
    const at = kinds.findIndex((frame) => frame.includes("response"));
    expect(kinds[at]).toEqual(["response"]);
    const places = kinds[at - 1]!.map((kind) => ["state", "event"].indexOf(kind));
    expect(places).toEqual(places.toSorted());
    expect(new Set(places)).toEqual(new Set([0, 1]));
    const events = seller.frames[at - 1]!.filter((message) => isKind(message, "event"));
    const numbers = events.map(({ sequence }) => sequence);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  });

  test("reaches other connections, of its user too, as the same states and events, without the response", async () => {
    const engine = serveTestEngine();
    const [buyer, same] = [await connect(engine, BUYER), await connect(engine, BUYER)];
    const watcher = await connect(engine, VIEWER);
    await Promise.all([buyer.settled(), watcher.settled()]);
    const before = watcher.frames.length;
    await buyer.request("order.submit", restingBuy(engine.contractId));
    await until(() => watcher.frames.length > before, "the order");
    await same.settled();
    expect(same.messages.some((message) => isKind(message, "response"))).toBe(false);
    expect(same.events.some(({ type }) => type === "new.order")).toBe(true);
    const [own, response] = buyer.frames.slice(-2);
    expect([kindsOf(own!).includes("response"), kindsOf(response!)]).toEqual([false, ["response"]]);
    expect(watcher.frames.slice(before)).toEqual([own!]);
  });

  test("leaves no hole in the event numbers, and every client with the engine's modules", async () => {
    const engine = serveTestEngine();
    const users = [BUYER, SELLER, BYSTANDER, OPERATOR, VIEWER];
    const clients = await Promise.all(users.map((userId) => connect(engine, userId)));
    const [buyer, seller, , operator] = clients as [TestClient, TestClient, TestClient, TestClient];
    await trade(engine, buyer, seller);
    await operator.request("market.halt", { reason: "a test" });
    await buyer.request("order.submit", restingBuy(engine.contractId));
    await operator.request("market.resume", {});
    await buyer.request("credit.setLimit", {
      entityId: "RIVERBEND",
      counterpartyId: "HEARTLAND",
      limitType: "mw",
      scope: "total",
      limit: 50,
    });
    await operator.request("dev.reset", { secret: SECRET, creditLimit: 1e6 });
    await operator.request("market.flush", {});
    for (const [place, client] of clients.entries()) {
      await client.settled();
      expect(withoutClock(modulesAfter(client.messages))).toEqual(expectedCache(engine, users[place] ?? ""));
      const numbers = new Set(client.sequences);
      expect(client.sequences).toEqual([...numbers].toSorted((one, other) => one - other));
    }
    expect(operator.sequences).toEqual(consecutive(operator.sequences));
    expect(operator.sequences.at(-1)).toBe(engine.engine.sequence);
  });

  test("shows a change of credit only to users who may see it", async () => {
    const engine = serveTestEngine();
    const [buyer, operator] = [await connect(engine, BUYER), await connect(engine, OPERATOR)];
    const bystander = await connect(engine, BYSTANDER);
    const payload = { entityId: "RIVERBEND", counterpartyId: "HEARTLAND", status: "pending" } as const;
    expect((await buyer.request("credit.setDocumentation", payload)).status).toBe("ok");
    await Promise.all([bystander.settled(), operator.settled()]);
    const told = (client: TestClient) => client.events.some(({ type }) => type === "change.documentation");
    expect([buyer, operator, bystander].map(told)).toEqual([true, true, false]);
  });

  test("to a refused market action is the response alone; other users are sent nothing", async () => {
    const engine = serveTestEngine();
    const [viewer, watcher] = [await connect(engine, VIEWER), await connect(engine, BUYER)];
    expect(await viewer.request("market.halt", {})).toMatchObject({ status: "rejected", code: "forbidden" });
    await watcher.settled();
    expect(watcher.events.filter(({ type }) => type !== "change.user")).toEqual([]);
  });

  test("to a repeated operation is the first answer, and the operation runs once", async () => {
    const engine = serveTestEngine();
    const client = await connect(engine, BUYER);
    const first = await client.request("order.submit", restingBuy(engine.contractId), "once");
    const again = await client.request("order.submit", restingBuy(engine.contractId), "once");
    expect(again).toEqual({ ...first, requestId: again.requestId });
    expect(client.events.filter(({ type }) => type === "new.order")).toHaveLength(1);
  });
});

describe("cancelOnDisconnect", () => {
  const cancelled = (watcher: TestClient) =>
    watcher.events.filter(({ type }) => type === "cancel.order").map(({ data }) => [data["id"], data["closeReason"]]);
  const orderIdOf = (response: { result?: Record<string, unknown> }) =>
    (response.result?.["order"] as { id: string } | undefined)?.id;

  test("cancels the open orders of the ended connection, and no others", async () => {
    const engine = serveTestEngine();
    const watcher = await connect(engine, VIEWER);
    const leaving = await connect(engine, BUYER, { cancelOnDisconnect: true });
    const staying = await connect(engine, BUYER);
    const own = orderIdOf(await leaving.request("order.submit", restingBuy(engine.contractId)));
    const kept = orderIdOf(await staying.request("order.submit", restingBuy(engine.contractId)));
    const gone = orderIdOf(await leaving.request("order.submit", restingBuy(engine.contractId)));
    await leaving.request("order.cancel", { orderId: gone ?? "" });
    leaving.close();
    await until(() => cancelled(watcher).length === 2, "the cancel");
    await staying.settled();
    expect(cancelled(watcher)).toEqual([[gone, "cancelled"], [own, "disconnected"]]);
    expect(modulesAfter(watcher.messages).get(`/ORDER/${kept}`)).toMatchObject({ status: "working" });
  });

  test("asks the engine to cancel only orders that are still open", async () => {
    const engine = serveTestEngine();
    const cancel = spyOn(engine.engine, "cancelDisconnected");
    const leaving = await connect(engine, BUYER, { cancelOnDisconnect: true });
    const seller = await connect(engine, SELLER);
    await trade(engine, leaving, seller);
    const open = orderIdOf(await leaving.request("order.submit", restingBuy(engine.contractId)));
    leaving.close();
    await until(() => cancelled(seller).length === 1, "the cancel");
    expect(cancel.mock.calls.map(([orderIds]) => orderIds)).toEqual([[open ?? ""]]);
  });

  test.each([
    ["cancels before it announces that the user has disconnected", true, ["cancel.order", "change.user"]],
    ["does not apply to a connection that did not ask for it", false, ["new.order", "change.user"]],
  ])("%s", async (_, cancelOnDisconnect, last) => {
    const engine = serveTestEngine();
    const watcher = await connect(engine, VIEWER);
    const leaving = await connect(engine, BUYER, { cancelOnDisconnect });
    await leaving.request("order.submit", restingBuy(engine.contractId));
    leaving.close();
    const types = () => watcher.events.map(({ type }) => type).filter((type) => type !== "change.book");
    await until(() => types().filter((type) => type === "change.user").length === 2, "the disconnect");
    expect(types().slice(-2)).toEqual(last);
    expect(cancelled(watcher)).toHaveLength(cancelOnDisconnect ? 1 : 0);
  });
});
