// The stream of a subscription over HTTP, on a clock that only the test moves.

import { expect, test } from "bun:test";
import { UpdateStream } from "../../../../../core/server/sdk/listen/update-stream.ts";
import { ChangeWatch, ROUND_MS } from "../../../../../core/subscriptions/change-watch.ts";
import { Subscription } from "../../../../../core/subscriptions/subscription.ts";
import { isSettled } from "../../../../support/still-clock.ts";
import { ArtificialClock } from "../../../subscriptions/artificial-clock.ts";

function streaming() {
  const clock = new ArtificialClock();
  const counts = { released: 0, ended: 0, cancelled: 0 };
  const share = { takeTopic: () => {}, releaseTopics: () => {}, release: () => void (counts.released += 1) };
  const topic = { key: "topic", value: 0, version: () => topic.value };
  const subscription = new Subscription(new ChangeWatch({ schedule: clock.schedule }), share);
  subscription.follow(topic);
  let sdk!: ReadableStreamDefaultController<Uint8Array>;
  const frames = new ReadableStream<Uint8Array>({
    start: (controller) => void (sdk = controller),
    cancel: () => void (counts.cancelled += 1),
  });
  const hasEnded = () => void (counts.ended += 1);
  const stream = new UpdateStream({ frames, subscription, subscriptionId: 7, hasEnded });
  const reader = stream.body.getReader();
  const read = async () => {
    const { done, value } = await reader.read();
    return done ? null : new TextDecoder().decode(value);
  };
  const acknowledge = async () => {
    const first = read();
    sdk.enqueue(new TextEncoder().encode("acknowledged\n\n"));
    expect(await first).toBe("acknowledged\n\n");
  };
  return { clock, counts, topic, subscription, reader, read, acknowledge, end: () => sdk.close() };
}

test("a quiet stream gets a comment every 15 seconds, counted from what was written last", async () => {
  const { clock, topic, read, acknowledge } = streaming();
  await acknowledge();
  for (let comment = 0; comment < 2; comment += 1) {
    const next = read();
    clock.advance(15_000 - ROUND_MS);
    expect(await isSettled(next)).toBe(false);
    clock.advance(ROUND_MS);
    expect(await next).toBe(": keepalive\n\n");
  }
  const update = read();
  clock.advance(14_000);
  topic.value += 1;
  clock.advance(ROUND_MS);
  expect(await update).toContain("topic");
  const next = read();
  clock.advance(14_000);
  expect(await isSettled(next)).toBe(false);
  clock.advance(1_000);
  expect(await next).toBe(": keepalive\n\n");
});

test("a client that leaves ends its subscription, also if it has not read the acknowledgement", async () => {
  for (const hasRead of [true, false]) {
    const { clock, counts, reader, acknowledge } = streaming();
    if (hasRead) await acknowledge();
    await reader.cancel();
    expect([counts, clock.pending]).toEqual([{ released: 1, ended: 1, cancelled: 1 }, 0]);
  }
});

test("the end that the SDK writes ends the subscription, and the stream once it is read", async () => {
  const { clock, counts, read, acknowledge, end } = streaming();
  await acknowledge();
  end();
  await isSettled(new Promise(() => {}));
  expect([counts, clock.pending]).toEqual([{ released: 1, ended: 0, cancelled: 0 }, 0]);
  expect(await read()).toBeNull();
  expect(counts.ended).toBe(1);
});
