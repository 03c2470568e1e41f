import { expect, test } from "bun:test";
import { type Load, playRound } from "../../bench/fan-out/round.ts";
import { planOf } from "../../bench/fan-out/comparison.ts";
import { BareSide, EngineSide, REQUESTERS, type Side } from "../../bench/fan-out/sides.ts";
import type { EngineMessage } from "../../protocol/index.ts";
import { atEnd } from "../support/at-end.ts";
import { startProcess } from "../support/processes.ts";
import { LONG, size } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const CONNECTIONS = size(11, 60);
const LOAD: Load = { orders: size(300, 3000), outstanding: 4 };

/** The frames of each connection during a round. */
function recorded(side: Side): string[][] {
  return side.connections.map((connection) => {
    const frames: string[] = [];
    connection.onText = (text) => void frames.push(text);
    return frames;
  });
}

test.skipIf(!LONG)("every order is confirmed once, and every connection gets the events of all orders", async () => {
  const side = await EngineSide.start(startProcess, temporaryDirectory(), CONNECTIONS, 7);
  atEnd(() => side.end());
  const frames = recorded(side);
  await playRound(side, LOAD);
  const received = frames.map((texts) => texts.flatMap((text): EngineMessage[] => JSON.parse(text)));
  const responses = received.flat().filter((message) => "kind" in message && message.kind === "response");
  expect(new Set(responses.map(({ operationId }) => operationId)).size).toBe(LOAD.orders);
  expect(responses.length).toBe(LOAD.orders);
  const eventsOf = (messages: readonly EngineMessage[]) =>
    messages.filter((message) => "kind" in message && message.kind === "event")
      .filter(({ type }) => type !== "change.user")
      .map(({ sequence, type }) => ({ sequence, type }));
  const [first, ...others] = received.map(eventsOf);
  expect(first!.filter(({ type }) => type === "new.order").length).toBe(LOAD.orders);
  expect(first!.map(({ sequence }) => sequence)).toEqual(first!.map((_, at) => first![0]!.sequence + at));
  for (const events of others) expect(events).toEqual(first!);
});

test.skipIf(!LONG)(
  "the bare server sends as many bytes as the engine, in a frame for each order or in as many frames",
  async () => {
    const side = await BareSide.start(startProcess, CONNECTIONS);
    atEnd(() => side.end());
    const engine = { microseconds: 0, ordersPerSecond: 0, updateFrames: 0.25, updateBytes: 1200, responseBytes: 400 };
    for (const ordersInUpdate of [1, 4]) {
      side.follow(planOf(engine, ordersInUpdate > 1), "an order");
      const frames = recorded(side);
      const round = await playRound(side, LOAD);
      expect(round).toMatchObject({ updateFrames: 1 / ordersInUpdate, updateBytes: 1200, responseBytes: 400 });
      expect(frames.flat().reduce((sum, text) => sum + text.length, 0)).toBe(LOAD.orders * (1200 * CONNECTIONS + 400));
      const counts = frames.map((texts) => texts.filter((text) => text.startsWith("[")).length);
      expect(counts).toEqual(counts.map(() => LOAD.orders / ordersInUpdate));
      expect(frames.slice(REQUESTERS).flat().some((text) => text.includes("response"))).toBe(false);
    }
  },
);
