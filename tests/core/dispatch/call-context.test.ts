import { expect, test } from "bun:test";
import type { StateClient } from "../../../core/backend/state-client.ts";
import { callContext } from "../../../core/dispatch/call-context.ts";
import { EventWaits } from "../../../core/dispatch/event-waits.ts";
import { EventBuffer } from "../../../core/market/event-buffer.ts";
import { noProgress } from "../../../core/tools/progress.ts";
import type { Replicas } from "../../../core/tools/replicas.ts";
import { pubsubThatIs, servicesWith } from "../support/services.ts";

const SCOPE = { caller: null, signal: new AbortController().signal };

test.each<[string, (events: EventBuffer) => void, number]>([
  ["a gap ends looks into their log before the call reads", (events) => events.gap(1, 3), 1],
  ["an event ends asks nobody", (events) => {
    events.push({ sequence: 1, type: "odd.thing", time: "2030-06-01T12:00:00.000Z", data: {} });
  }, 0],
])("a wait among replicas that %s", async (_what, end, expected) => {
  const events = new EventBuffer(10);
  events.begin(0, 0);
  let looks = 0;
  const replicas = { changed: () => Promise.resolve(void (looks += 1)) } as Partial<Replicas> as Replicas;
  const services = servicesWith({ events, replicas, pubsub: pubsubThatIs("connected") });
  const wait = callContext({}, services, SCOPE, new EventWaits()).waitForEvent({}, 30);
  end(events);
  expect(await wait).toBe(true);
  expect(looks).toBe(expected);
});

class Answering {
  readonly #name = "backend";
  readonly city = "Oslo";
  /** With a private field, which only the service itself has. */
  read(asked: string): Promise<string> {
    return Promise.resolve(`${this.#name}: ${asked}`);
  }
  now(): number {
    return 7;
  }
}

test("only a call whose client asked for progress gets reported services, which answer as the services themselves", async () => {
  const backend = new Answering();
  const audit = { query: () => Promise.reject(), orderEvents: () => Promise.reject() };
  const services = servicesWith({ backend: backend as unknown as StateClient, audit });
  const silent = callContext({}, services, SCOPE, new EventWaits());
  expect([silent.backend as unknown, silent.audit, silent.progress]).toEqual([backend, audit, noProgress]);
  expect(silent.backend).toBe(backend as never);
  const progress = () => Promise.resolve();
  const followed = callContext({}, services, { ...SCOPE, progress }, new EventWaits());
  expect(followed.backend).not.toBe(backend as never);
  expect(followed.progress).toBe(progress);
  const reported = followed.backend as unknown as Answering;
  expect(await reported.read("price")).toBe("backend: price");
  expect([reported.now(), reported.city]).toEqual([7, "Oslo"]);
});

test("a call that begins to wait gives back its place, and one that can't wait keeps it", async () => {
  for (const status of ["connected", "reconnecting"] as const) {
    const events = new EventBuffer(10);
    let places = 0;
    const scope = { ...SCOPE, freeSlot: () => void (places += 1) };
    const services = servicesWith({ events, pubsub: pubsubThatIs(status) });
    const wait = callContext({}, services, scope, new EventWaits()).waitForEvent({}, 30);
    expect(places).toBe(status === "connected" ? 1 : 0);
    events.interrupt();
    expect(await wait).toBe(status === "connected");
  }
});
