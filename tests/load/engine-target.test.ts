// How a load run connects to an engine, and what it makes of its answers.

import { expect, test } from "bun:test";
import { EngineTarget } from "../../load/engine-target.ts";
import type { LightReader } from "../../load/light-reader.ts";
import { ANSWER_LIMIT_MS, type Operation, type Outcome } from "../../load/operation.ts";
import * as clients from "../../protocol/client/engine-client.ts";
import type { EngineClientOptions } from "../../protocol/client/engine-client-options.ts";
import type { RequestOutcome } from "../../protocol/client/pending-requests.ts";
import { replaced } from "../support/replaced.ts";
import { orderData } from "../support/scripted-engine.ts";

interface Sent {
  readonly user: string;
  readonly action: string;
  readonly input: object;
  readonly operationId: string;
  readonly settle: (outcome: RequestOutcome) => void;
}

/** A target whose connections are there at once. */
function target(connections: number, users: readonly string[], failsAt = Infinity) {
  const made: EngineClientOptions[] = [];
  const sent: Sent[] = [];
  const closed: string[] = [];
  let isConnected = true;
  replaced(
    clients,
    "EngineClient" as never,
    function (options: EngineClientOptions) {
      const number = made.push(options);
      return {
        open() {
          if (number > failsAt) options.listener.ended?.({ kind: "closed", code: 1006, reason: "" } as never, true);
          else options.listener.synchronized(null as never);
        },
        send(action: string, input: object, { operationId }: Sent, settle: Sent["settle"]) {
          if (isConnected) sent.push({ user: options.userId, action, input, operationId, settle });
          return isConnected;
        },
        close: () => Promise.resolve(void closed.push(options.userId)),
      };
    } as never,
  );
  const tokenOf = (user: string) => `token of ${user}`;
  const engine = new EngineTarget({ url: "ws://e", connections, users, tokenOf, runId: "run" });
  return { engine, made, sent, closed, lose: () => (isConnected = false) };
}

test("connections act as the users in turn, each with the user's own token, and their orders end with them", async () => {
  const { engine, made, closed } = target(45, ["anna", "bob"]);
  await engine.open();
  expect(made.map(({ userId }) => userId)).toEqual(
    Array.from({ length: 45 }, (_, at) => at % 2 === 0 ? "anna" : "bob"),
  );
  for (const { userId, token, url, cancelOnDisconnect, policy } of made) {
    expect([token, url, cancelOnDisconnect]).toEqual([`token of ${userId}`, "ws://e", true]);
    expect([policy.requestTimeoutMs, policy.validForMs("order.submit")]).toEqual([ANSWER_LIMIT_MS, ANSWER_LIMIT_MS]);
  }
  expect([new Set(made.map(({ clock }) => clock)).size, made.length]).toEqual([45, 45]);
  await engine.close();
  expect(closed).toHaveLength(45);
});

test("a connection that fails at first ends the opening, and later it is one that came back", async () => {
  await expect(target(3, ["anna"], 1).engine.open()).rejects.toThrow("user anna can't connect to ws://e: ");
  const { engine, made } = target(1, ["anna"]);
  await engine.open();
  const { listener } = made[0]!;
  for (const willRetry of [true, true, false]) {
    listener.ended?.({ kind: "closed", code: 1006, reason: "" } as never, willRetry);
  }
  expect(engine.reconnects).toBe(2);
});

test("at most twenty connections are opened together, after the first one, which alone reads the market", async () => {
  const made: EngineClientOptions[] = [];
  replaced(
    clients,
    "EngineClient" as never,
    function (options: EngineClientOptions) {
      made.push(options);
      return { open: () => {} };
    } as never,
  );
  const engine = new EngineTarget({ url: "ws://e", connections: 45, users: ["u"], tokenOf: () => null, runId: "run" });
  const opened = engine.open();
  const reads = (client: EngineClientOptions) => (client.reader as unknown as LightReader).readsAll;
  expect([made.length, made.map(reads)]).toEqual([1, [true]]);
  const counts: number[] = [];
  for (let done = 0; done < 45;) {
    for (; done < made.length - 1; done++) made[done]!.listener.synchronized(null as never);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    counts.push(made.length);
    made[done++]!.listener.synchronized(null as never);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }
  await opened;
  expect(counts).toEqual([1, 21, 41, 45]);
  expect([made.filter(reads).length, made.every(({ token }) => token === null)]).toEqual([0, true]);
});

const OPERATIONS: readonly [Operation, string, object][] = [
  [
    { kind: "submit", contractId: "C", side: 1, price: 5, quantity: 2 },
    "order.submit",
    { contractId: "C", side: 1, price: 5, quantity: 2, timeInForce: "gtc" },
  ],
  [{ kind: "cancel", orderId: "o" }, "order.cancel", { orderId: "o" }],
  [{ kind: "modify", orderId: "o", price: 7 }, "order.modify", { orderId: "o", price: 7 }],
];

test("each operation is its own action on its connection, under an id that no other has", async () => {
  const { engine, sent } = target(2, ["anna", "bob"]);
  await engine.open();
  for (const connection of [0, 1]) for (const [operation] of OPERATIONS) engine.send(connection, operation, () => {});
  expect(sent.map(({ user, action, input }) => [user, action, input]))
    .toEqual(["anna", "bob"].flatMap((user) => OPERATIONS.map(([, action, input]) => [user, action, input])));
  expect(sent.map(({ operationId }) => operationId)).toEqual([1, 2, 3, 4, 5, 6].map((count) => `run-${count}`));
});

const order = orderData("o", { closeReason: null, averagePrice: 12 });
test.each<[object, Outcome]>([
  [{ kind: "ok", result: { order } }, { kind: "confirmed", order: { id: "o", isOpen: true, averagePrice: 12 } }],
  [
    { kind: "ok", result: { order: { ...order, status: "cancelled", closeReason: "expired", averagePrice: null } } },
    { kind: "confirmed", order: { id: "o", isOpen: false, averagePrice: null } },
  ],
  [{ kind: "ok", result: {} }, { kind: "failed", code: "unreadable_answer" }],
  [{ kind: "rejected", code: "halted" }, { kind: "refused", code: "halted" }],
  [{ kind: "error", code: "internal" }, { kind: "failed", code: "internal" }],
  [{ kind: "timeout" }, { kind: "unknown" }],
  [{ kind: "not_connected" }, { kind: "not_sent" }],
])("an answer %j is the outcome %j", async (answer, outcome) => {
  const { engine, sent } = target(1, ["anna"]);
  await engine.open();
  const settled: Outcome[] = [];
  engine.send(0, { kind: "cancel", orderId: "o" }, (each) => void settled.push(each));
  sent[0]!.settle(answer as RequestOutcome);
  expect(settled).toEqual([outcome]);
});

test("without a connection nothing is sent", async () => {
  const { engine, lose } = target(1, ["anna"]);
  await engine.open();
  lose();
  const settled: Outcome[] = [];
  engine.send(0, { kind: "cancel", orderId: "o" }, (each) => void settled.push(each));
  expect(settled).toEqual([{ kind: "not_sent" }]);
});
