// Orders of a simulator that remain at the engine: searched and cancelled until none is open.

import { describe, expect, test } from "bun:test";
import type { EngineMessage } from "../../../protocol/index.ts";
import { cancelRemainingOrders } from "../../../sim/live/remaining-orders.ts";
import type { ModuleData } from "../../../protocol/modules/registry.ts";
import { orderState, ScriptedEngine } from "../../support/scripted-engine.ts";
import { accessTo } from "./support.ts";

const ID_PREFIX = "sim-abc.";
const MAX_SEARCHES = 5;
const PATIENCE_MS = 600_000;

const order = (id: string, userId: string, fields: Partial<ModuleData<"ORDER">> = {}) =>
  orderState(id, { clientOrderId: `${ID_PREFIX}${id}`, userId, ...fields });

/** Serves snapshots of the open orders; a cancel takes its order away, or is refused if `refuses` says so. */
function serve(engine: ScriptedEngine, orders: EngineMessage[], refuses = (_cancel: number) => false) {
  const cancels: string[] = [];
  let searches = 0;
  const serveOne = async () => {
    const connection = await engine.connection();
    void serveOne();
    searches += 1;
    const { userId } = await connection.admit(orders);
    for (;;) {
      const { requestId, operationId, action, payload } = await connection.next("request");
      const { orderId } = payload as { orderId: string };
      cancels.push(`${userId} ${action} ${orderId}`);
      const isRefused = refuses(cancels.length);
      if (!isRefused) {
        const at = orders.findIndex((message) => "statePath" in message && message.statePath === `/ORDER/${orderId}`);
        if (at >= 0) orders.splice(at, 1);
      }
      connection.send({ kind: "response", requestId, operationId, status: isRefused ? "rejected" : "ok" });
    }
  };
  void serveOne();
  return { cancels, searches: () => searches };
}

function cancelled(engine: ScriptedEngine, patienceMs = PATIENCE_MS) {
  return cancelRemainingOrders({ ...accessTo(engine.url), watcher: "operator", idPrefix: ID_PREFIX }, patienceMs);
}

describe("remaining orders of a simulator", () => {
  test("are cancelled as the users they belong to, and searched once more", async () => {
    await using engine = new ScriptedEngine();
    const served = serve(engine, [order("1", "anna"), order("2", "ben"), order("3", "anna")]);
    expect(await cancelled(engine)).toBe(3);
    expect(served.cancels.toSorted()).toEqual(["anna order.cancel 1", "anna order.cancel 3", "ben order.cancel 2"]);
    // A search, a connection of each user, a search.
    expect(served.searches()).toBe(4);
  });

  test("are not those of others, nor closed ones", async () => {
    await using engine = new ScriptedEngine();
    const served = serve(engine, [
      order("1", "anna", { clientOrderId: "mine" }),
      order("2", "anna", { clientOrderId: "sim-abd.2" }),
      order("3", "anna", { status: "cancelled", closeReason: "cancelled" }),
    ]);
    expect([await cancelled(engine), served.cancels, served.searches()]).toEqual([0, [], 1]);
  });

  test("whose cancel is refused count if the next search cancels them", async () => {
    await using engine = new ScriptedEngine();
    const served = serve(engine, [order("1", "anna"), order("2", "anna")], (cancel) => cancel === 1);
    expect(await cancelled(engine)).toBe(2);
    expect(served.cancels).toHaveLength(3);
  });

  test("may be found by four searches, if the fifth finds none", async () => {
    await using engine = new ScriptedEngine();
    const served = serve(engine, [order("1", "anna")], (cancel) => cancel < MAX_SEARCHES - 1);
    expect(await cancelled(engine)).toBe(1);
    expect(served.cancels).toHaveLength(MAX_SEARCHES - 1);
  });

  test("that are still open after five searches are an error", async () => {
    await using engine = new ScriptedEngine();
    const served = serve(engine, [order("1", "anna")], () => true);
    await expect(cancelled(engine)).rejects.toThrow("still open after they were cancelled 5 times");
    expect(served.cancels).toHaveLength(MAX_SEARCHES);
  });

  test("are an error that says so if the engine can't be reached in time", async () => {
    const engine = new ScriptedEngine();
    await engine.stop();
    // The time may have passed before the system says so.
    await expect(cancelled(engine, 50)).rejects.toThrow(
      /can't be reached: (nothing there accepts a connection|it sent no whole snapshot in time)$/,
    );
  });

  test("are found by the next search if the connection that cancels them is lost", async () => {
    await using engine = new ScriptedEngine();
    const orders = [order("1", "anna")];
    const result = cancelled(engine);
    await (await engine.connection()).admit(orders);
    const lost = await engine.connection();
    await lost.admit(orders);
    await lost.next("request");
    lost.cut();
    await (await engine.connection()).admit();
    expect(await result).toBe(0);
  });
});
