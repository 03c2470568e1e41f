// A client of an engine without a network, and what its listener is told.

import type { EngineClientOptions, EngineListener } from "../../../protocol/client/engine-client-options.ts";
import { EngineClient } from "../../../protocol/client/engine-client.ts";
import { EngineClock } from "../../../protocol/client/engine-clock.ts";
import { reasonOf } from "../../../protocol/client/engine-link.ts";
import { ENGINE_TIME, EPOCH, snapshotEnd, welcome } from "../../support/scripted-engine.ts";
import { SocketInMemory } from "./socket-in-memory.ts";

const TIMINGS = {
  ...{ pingMs: 50_000, silenceMs: 90_000, openMs: 300, answerMs: 90_000, synchronizeMs: 90_000, closeMs: 500 },
  ...{ firstRetryMs: 100, longestRetryMs: 1_000, pendingRetryMs: 20, readAgainMs: 400, pendingOpenMs: 50 },
};
const POLICY = { retriesFirstAttempt: true, finalRefusals: 1, validForMs: () => 5_000, requestTimeoutMs: 10_000 };
export const WELCOME = welcome({ userId: "u-1" });
export const UNREADABLE = { kind: "unreadable", fault: "invalid_message" };

export interface Given extends Partial<Omit<EngineClientOptions, "policy" | "listener">> {
  readonly policy?: Partial<EngineClientOptions["policy"]>;
  readonly listener?: Partial<EngineListener>;
}

export function clientWith({ policy, listener, ...given }: Given = {}) {
  const told: unknown[] = [];
  const client = new EngineClient({
    url: "ws://engine/ws",
    userId: "u-1",
    token: null,
    reader: { read: (frame) => JSON.parse(String(frame)) },
    clock: new EngineClock(() => Date.parse(ENGINE_TIME)),
    timings: TIMINGS,
    policy: { ...POLICY, ...policy },
    log: { debug: () => {} } as never,
    listener: {
      welcomed: () => void told.push("welcomed"),
      state: ({ statePath }) => void told.push(statePath),
      event: ({ sequence }, state) => told.push([sequence - EPOCH, state?.statePath ?? null]) > 0,
      gap: (from, to) => told.push(["gap", from, to]) > 0,
      synchronized: () => void told.push("up"),
      frame: (messages) => void told.push(`frame of ${messages.length}`),
      unreadable: ({ fault }) => void told.push(`unreadable ${fault}`),
      unmatchedResponse: () => void told.push("unmatched"),
      ended: (end, willRetry) => void told.push([reasonOf(end), willRetry]),
      ...listener,
    },
    ...given,
  });
  const socket = () => SocketInMemory.made.at(-1)!;
  const admitted = (...states: readonly object[]) => {
    client.open();
    socket().tell("open");
    socket().receive(WELCOME, ...states, snapshotEnd);
  };
  const up = (...states: readonly object[]) => {
    admitted(...states);
    socket().sent.length = 0;
    told.length = 0;
  };
  return { client, told, socket, admitted, up };
}
