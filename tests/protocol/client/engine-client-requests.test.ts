// When a request of a client is sent, sent again, and settled, without a network.

import { describe, expect, test } from "bun:test";
import type { EngineClient } from "../../../protocol/client/engine-client.ts";
import type { RequestOutcome } from "../../../protocol/client/pending-requests.ts";
import { ENGINE_TIME, event, snapshotEnd, welcome } from "../../support/scripted-engine.ts";
import { clientWith } from "./client-in-memory.ts";
import { advance, SocketInMemory, socketsInMemory } from "./socket-in-memory.ts";

socketsInMemory();

describe("a request", () => {
  const ask = (client: EngineClient, operationId: string, ids: object = {}) => {
    const outcomes: RequestOutcome[] = [];
    const isSent = client.send("market.halt", { reason: "odd" } as never, { operationId, ...ids }, (outcome) => {
      outcomes.push(outcome);
    });
    return { isSent, outcomes };
  };

  test("is sent once the client is up, valid for its time, with its trace only to an engine that takes it", async () => {
    for (const traceContext of [undefined, true]) {
      const { client, socket } = clientWith();
      expect(ask(client, "early").isSent).toBeFalse();
      expect(await client.request("market.halt", {}, { operationId: "early" }))
        .toEqual({ kind: "not_connected", operationId: "early" });
      client.open();
      socket().tell("open");
      socket().receive(welcome({ userId: "u-1" }, traceContext === true ? { traceContext } : {}), snapshotEnd);
      socket().sent.length = 0;
      const trace = { traceparent: "00-a", tracestate: "b=c" };
      expect(ask(client, "o-1", { requestId: "r-1", trace }).isSent).toBeTrue();
      ask(client, "o-2");
      const common = { kind: "request", action: "market.halt", payload: { reason: "odd" } };
      const validUntil = new Date(Date.parse(ENGINE_TIME) + 5_000).toISOString();
      expect(socket().sent).toEqual([
        { ...common, requestId: "r-1", operationId: "o-1", validUntil, ...traceContext === true ? trace : {} },
        { ...common, requestId: "o-2", operationId: "o-2", validUntil },
      ]);
      expect(client.pendingCount).toBe(2);
    }
  });

  test("is sent again after a reconnection as it was, and settles once, when it is read", () => {
    const { client, told, socket, up, admitted } = clientWith();
    up();
    const { outcomes } = ask(client, "o-1");
    const [first] = socket().sent;
    socket().tell("close", { code: 1006, reason: "" });
    expect([told, outcomes]).toEqual([[["the connection closed with code 1006", true]], []]);
    admitted();
    expect(socket().sent.at(-1)).toEqual(first);
    const response = { kind: "response", requestId: "o-1", operationId: "o-1", status: "ok", result: { a: 1 } };
    told.length = 0;
    socket().receive(event(1), response, response);
    expect(outcomes).toEqual([{ kind: "ok", operationId: "o-1", result: { a: 1 } }]);
    expect(told).toEqual([[1, "/ORDER/order-1"], "/ORDER/order-1", "unmatched", "frame of 3"]);
  });

  test("is sent again without its trace to an engine that takes none any more", () => {
    const { client, socket } = clientWith();
    for (const [engine, expected] of [[{ traceContext: true }, "00-a"], [{}, undefined]] as const) {
      client.open();
      socket().tell("open");
      socket().receive(welcome({ userId: "u-1" }, engine), snapshotEnd);
      if (expected !== undefined) ask(client, "o-1", { trace: { traceparent: expected } });
      expect(socket().sent.at(-1)).toMatchObject({ kind: "request", requestId: "o-1" });
      expect(socket().sent.at(-1)!["traceparent"]).toBe(expected);
      socket().tell("close", { code: 1006, reason: "" });
    }
  });

  test("that is dropped is not sent again, and its response is no surprise", () => {
    const { client, told, socket, up, admitted } = clientWith();
    up();
    ask(client, "o-1");
    expect(client.drop("o-1")?.operationId).toBe("o-1");
    socket().tell("close", { code: 1006, reason: "" });
    admitted();
    expect(socket().kinds()).toEqual(["hello"]);
    told.length = 0;
    socket().receive({ kind: "response", requestId: "o-1", operationId: "o-1", status: "ok" });
    expect(told).toEqual(["frame of 1"]);
  });

  test("times out after its time, across connections; without one it settles with its connection", () => {
    for (const requestTimeoutMs of [500, null]) {
      const { client, socket, up } = clientWith({ policy: { requestTimeoutMs } });
      up();
      const { outcomes } = ask(client, "o-1");
      advance(250);
      const timeout = { kind: "timeout", operationId: "o-1", waitedMs: requestTimeoutMs ?? 250 };
      socket().tell("close", { code: 1006, reason: "" });
      expect(outcomes).toMatchObject(requestTimeoutMs === null ? [timeout] : []);
      advance(249);
      expect(outcomes).toHaveLength(requestTimeoutMs === null ? 1 : 0);
      advance(2);
      expect(outcomes).toMatchObject([timeout]);
    }
  });

  test("settles as timeout once there is no further attempt, and with the client", async () => {
    for (const how of ["refused", "closed", "given up"]) {
      const { client, socket, up } = clientWith();
      up();
      const { outcomes } = ask(client, "o-1");
      if (how === "refused") socket().receive({ kind: "refused", code: "unauthorized", message: "No." });
      else if (how === "given up") client.giveUpRequests();
      else {
        const closed = client.close();
        socket().tell("close", { code: 1000, reason: "" });
        await closed;
      }
      expect([outcomes.map(({ kind }) => kind), client.pendingCount]).toEqual([["timeout"], 0]);
    }
  });

  test("that waits makes the next attempt come sooner, and give up sooner", () => {
    const { client, socket, up, told } = clientWith();
    up();
    ask(client, "o-1");
    socket().tell("close", { code: 1006, reason: "" });
    advance(20);
    expect(SocketInMemory.made).toHaveLength(2);
    advance(49);
    told.length = 0;
    advance(1);
    expect(told).toEqual([["the engine was silent for 50 ms", true]]);
    client.drop("o-1");
    client.open();
    advance(299);
    expect(told).toHaveLength(1);
    advance(1);
    expect(told[1]).toEqual(["the engine was silent for 300 ms", true]);
  });

  test("without an answer for long ends the connection, if somebody asks, and none does not", () => {
    const { client, up, told } = clientWith();
    up();
    client.endIfUnanswered(0);
    ask(client, "o-1");
    advance(299);
    client.endIfUnanswered(300);
    expect(told).toEqual([]);
    advance(1);
    client.endIfUnanswered(300);
    expect(told).toEqual([["a request was not answered for 300 ms", true]]);
  });
});
