// Orders that a simulator left at the engine: looked for and cancelled until none is open.

import { describe, expect, test } from "bun:test";
import { FrameReader } from "../../../protocol/client/frame-reader.ts";
import { logger } from "../../../common/logger.ts";
import type { EngineMessage } from "../../../protocol/index.ts";
import { cancelRemainingOrders } from "../../../sim/live/remaining-orders.ts";
import type { ModuleData } from "../../../protocol/modules/registry.ts";
import { orderState, ScriptedEngine } from "../../core/support/scripted-engine.ts";

const ID_PREFIX = "sim-abc.";
const LOOKS = 5;
const PATIENCE_MS = 30_000;

const order = (id: string, userId: string, fields: Partial<ModuleData<"ORDER">> = {}) =>
  orderState(id, { clientOrderId: `${ID_PREFIX}${id}`, userId, ...fields });

/** Serves snapshots of the open orders; a cancel takes its order away, or is refused if `refuses` says so. */
function serve(
  engine: ScriptedEngine,
  orders: EngineMessage[],
  refuses: (cancel: number) => boolean = () => false,
) {
  const cancels: string[] = [];
  let looks = 0;
  const serveOne = async () => {
    const connection = await engine.connection();
    void serveOne();
    looks += 1;
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
  return { cancels, looks: () => looks };
}

function cancelled(engine: ScriptedEngine, patienceMs = PATIENCE_MS, watchers: readonly string[] = ["operator"]) {
  const log = logger("test");
  const { url } = engine;
  const options = { url, token: null, reader: new FrameReader(log), now: Date.now, log, watchers, idPrefix: ID_PREFIX };
  return cancelRemainingOrders(options, patienceMs);
}

describe("orders that a simulator left", () => {
  test("are cancelled as the users whose they are, and looked for once more", async () => {
    await using engine = new ScriptedEngine();
    const served = serve(engine, [order("1", "anna"), order("2", "ben"), order("3", "anna")]);
    expect(await cancelled(engine)).toBe(3);
    expect(served.cancels.toSorted()).toEqual([
      "anna order.cancel 1",
      "anna order.cancel 3",
      "ben order.cancel 2",
    ]);
    // A look, a connection of each user, a look.
    expect(served.looks()).toBe(4);
  });

  test("are none of other users, and none that are closed", async () => {
    await using engine = new ScriptedEngine();
    const served = serve(engine, [
      order("1", "anna", { clientOrderId: "mine" }),
      order("2", "anna", { clientOrderId: "sim-abd.2" }),
      order("3", "anna", { status: "cancelled", closeReason: "cancelled" }),
    ]);
    expect([await cancelled(engine), served.cancels, served.looks()]).toEqual([0, [], 1]);
  });

  test("are found by every watcher, and counted once", async () => {
    await using engine = new ScriptedEngine();
    const served = serve(engine, [order("1", "anna")]);
    expect(await cancelled(engine, PATIENCE_MS, ["anna", "ben"])).toBe(1);
    expect(served.cancels).toEqual(["anna order.cancel 1"]);
  });

  test("of which a cancel is refused count if the next look cancels them", async () => {
    await using engine = new ScriptedEngine();
    const served = serve(engine, [order("1", "anna"), order("2", "anna")], (cancel) => cancel === 1);
    expect(await cancelled(engine)).toBe(2);
    expect(served.cancels).toHaveLength(3);
  });

  test("may be found at four looks, if there is none at the fifth", async () => {
    await using engine = new ScriptedEngine();
    const served = serve(engine, [order("1", "anna")], (cancel) => cancel < LOOKS - 1);
    expect(await cancelled(engine)).toBe(1);
    expect(served.cancels).toHaveLength(LOOKS - 1);
  });

  test("that are still open at five looks are an error", async () => {
    await using engine = new ScriptedEngine();
    const served = serve(engine, [order("1", "anna")], () => true);
    await expect(cancelled(engine)).rejects.toThrow("still open after they were cancelled 5 times");
    expect(served.cancels).toHaveLength(LOOKS);
  });

  test("of an engine that can't be reached in time are an error that says so", async () => {
    const engine = new ScriptedEngine();
    await engine.stop();
    await expect(cancelled(engine, 50)).rejects.toThrow("can't be reached: nothing there accepts a connection");
  });

  test("of a user whom the engine does not know are an error that says so", async () => {
    await using engine = new ScriptedEngine();
    void engine.connection().then((connection) =>
      connection.send({ kind: "refused", code: "unknown_user", message: "no user operator" })
    );
    await expect(cancelled(engine)).rejects.toThrow("refused user operator: unknown_user: no user operator");
  });

  test("are left if the connection that cancels them is lost, and found by the next look", async () => {
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
