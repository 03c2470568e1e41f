import { expect, test } from "bun:test";
import { callContext } from "../../../core/dispatch/call-context.ts";
import { EventWaits } from "../../../core/dispatch/event-waits.ts";
import { EventBuffer } from "../../../core/market/event-buffer.ts";
import type { Replicas } from "../../../core/tools/replicas.ts";
import { pubsubThatIs, servicesWith } from "../support/services.ts";

function world() {
  const events = new EventBuffer(10);
  events.begin(0, 0);
  let looks = 0;
  const changed = () => {
    looks += 1;
    return Promise.resolve();
  };
  const replicas = { changed } as Partial<Replicas> as Replicas;
  const services = servicesWith({ events, replicas, pubsub: pubsubThatIs("connected") });
  const scope = { caller: null, signal: new AbortController().signal };
  const context = callContext({}, services, scope as Parameters<typeof callContext>[2], new EventWaits());
  return { events, context, looks: () => looks };
}

test("a wait among replicas that a gap ends looks into their log before the call reads", async () => {
  const { events, context, looks } = world();
  const wait = context.waitForEvent({}, 30);
  events.gap(1, 3);
  expect(await wait).toBe(true);
  expect(looks()).toBe(1);
});

test("a wait among replicas that an event ends asks nobody", async () => {
  const { events, context, looks } = world();
  const wait = context.waitForEvent({}, 30);
  events.push({ sequence: 1, type: "odd.thing", time: "2030-06-01T12:00:00.000Z", data: {} });
  expect(await wait).toBe(true);
  expect(looks()).toBe(0);
});
