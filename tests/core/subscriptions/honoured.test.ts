// What a subscriptions/listen is recorded as, which of its resources are followed, and how many it may name.

import { expect, test } from "bun:test";
import type { Logger } from "../../../common/logger.ts";
import { ToolError } from "../../../core/error.ts";
import { ResourceCatalogue } from "../../../core/resources/resource-catalogue.ts";
import type { Resource } from "../../../core/resources/resource.ts";
import { ROUND_MS } from "../../../core/subscriptions/change-watch.ts";
import { type Filter, Subscriptions } from "../../../core/subscriptions/subscriptions.ts";
import { ArtificialClock } from "./artificial-clock.ts";

const REQUIRES = { connection: "read" } as const;
const CONTEXT = { pubsub: { status: "connected", incomplete: false, session: { userId: "anna", epoch: 1 } } };

function resource(uri: string, own: Partial<Resource>): Resource {
  return { name: uri, uri, title: "t", description: "d", read: () => "", ...own };
}

function serving(further: readonly Resource[] = []) {
  const state = { version: 1, listed: [["1", "one"]], userId: "anna", asked: [] as unknown[], logged: [] as unknown[] };
  const resources = new ResourceCatalogue([
    resource("odd://changes", { version: () => state.version, requires: REQUIRES }),
    resource("odd://alone", { version: () => 1 }),
    resource("odd://fixed", {}),
    resource("odd://faulty", {
      version: () => {
        throw new Error("odd");
      },
    }),
    resource("odd://refused", {
      version: () => {
        throw new ToolError("forbidden", "m", "h");
      },
    }),
    resource("odd://each/{id}", {
      version: ({ id }) => id,
      list: () => state.listed.map(([id = "", title = ""]) => ({ parameters: { id }, title })),
      requires: REQUIRES,
    }),
    ...further,
  ]);
  const requests = {
    run: (request: unknown, scope: unknown, work: () => unknown) => {
      state.asked.push(request, scope);
      return work();
    },
    contextFor: (request: unknown) => {
      state.asked.push(request);
      const session = { ...CONTEXT.pubsub.session, userId: state.userId };
      return { ...CONTEXT, pubsub: { ...CONTEXT.pubsub, session } };
    },
  };
  const log = { debug: () => {}, error: (...message: unknown[]) => state.logged.push(message) } as unknown as Logger;
  const clock = new ArtificialClock();
  const subscriptions = new Subscriptions({ offers: { resources, requests } as never, log, schedule: clock.schedule });
  const told: string[][] = [];
  const delivery = { isReading: true, deliver: (keys: readonly string[]) => told.push([...keys]), rest() {}, end() {} };
  const scope = { signal: new AbortController().signal };
  const listen = async (filter: Filter) =>
    await subscriptions.listen(filter, { client: "desk" }, scope, (subscription, honoured) => {
      subscription.begin(delivery as never);
      return Promise.resolve({ subscription, honoured });
    });
  return { state, subscriptions, clock, told, listen, scope };
}

test("it is a request of its own, recorded by the numbers of what it names", async () => {
  for (
    const [filter, recorded] of [
      [{}, { resources: 0, resourcesListChanged: false }],
      [{ resourceSubscriptions: ["odd://alone", "odd://alone"], resourcesListChanged: true }, {
        resources: 2,
        resourcesListChanged: true,
      }],
    ] as const
  ) {
    const { listen, scope, state } = serving();
    await listen(filter);
    const request = { kind: "subscription", name: "subscriptions/listen", arguments: recorded };
    expect(state.asked.slice(0, 2)).toEqual([request, scope]);
  }
});

test("it follows each resource that says when it changes and may be read, once, and is told which", async () => {
  const { listen, state } = serving();
  const all = ["odd://changes", "odd://fixed", "odd://faulty", "odd://gone", "odd://refused", "odd://each/1"];
  const { honoured, subscription } = await listen({ resourceSubscriptions: [...all, "odd://changes"] });
  expect(honoured).toEqual({ resourceSubscriptions: ["odd://changes", "odd://each/1"] });
  expect(subscription.isEmpty).toBeFalse();
  const checked = { kind: "subscription", name: "odd://changes", requires: REQUIRES };
  expect(state.asked[2]).toEqual(checked);
  expect(state.asked.at(-1)).toEqual({ ...checked, name: "odd://each/{id}" });
});

test("nothing that can be followed is nothing in what is honoured, and so is a list that is not asked for", async () => {
  for (
    const filter of [{}, { resourceSubscriptions: ["odd://gone"] }, { resourcesListChanged: false }] satisfies Filter[]
  ) {
    const { honoured, subscription } = await serving().listen(filter);
    expect([honoured, subscription.isEmpty]).toEqual([{}, true]);
  }
  const { honoured, subscription } = await serving().listen({ resourcesListChanged: true });
  expect([honoured, subscription.isEmpty]).toEqual([{ resourcesListChanged: true }, false]);
});

test("a change, of another user too if the resource needs a connection, and of the list, is told once", async () => {
  const { listen, state, clock, told } = serving();
  await listen({ resourceSubscriptions: ["odd://changes", "odd://alone"], resourcesListChanged: true });
  clock.advance(2 * ROUND_MS);
  expect(told).toEqual([]);
  state.version += 1;
  clock.advance(2 * ROUND_MS);
  expect(told.splice(0)).toEqual([["odd://changes"]]);
  state.userId = "bob";
  clock.advance(2 * ROUND_MS);
  expect(told.splice(0)).toEqual([["odd://changes"]]);
  for (const listed of [[["1", "uno"]], [["2", "uno"]], [["2", "uno"], ["3", "uno"]], []]) {
    state.listed = listed;
    clock.advance(2 * ROUND_MS);
    expect(told.splice(0)).toEqual([[""]]);
  }
});

test("a change of what is no longer followed is not told", async () => {
  const { listen, state, clock, told } = serving();
  const { subscription } = await listen({ resourceSubscriptions: ["odd://changes", "odd://alone"] });
  subscription.changed("odd://changes");
  subscription.unfollow("odd://changes");
  state.version += 1;
  clock.advance(2 * ROUND_MS);
  expect(told).toEqual([]);
});

test.each([[199, null], [200, null], [201, "200 of one subscription"]])(
  "%d named resources, whether they exist or not, are refused with %p",
  async (count, refusal) => {
    const { listen, subscriptions } = serving();
    const uris = Array.from({ length: count }, (_, at) => `odd://each/${at}`);
    for (const resourceSubscriptions of [[...uris, uris[0]!], uris.map((uri) => `${uri}/gone`)]) {
      const before = subscriptions.count;
      const listening = listen({ resourceSubscriptions });
      if (refusal === null) await listening;
      else await expect(listening).rejects.toThrow(refusal);
      expect(subscriptions.count).toBe(before + (refusal === null ? 1 : 0));
    }
  },
);

test("a list without place for it is refused, and gives back the subscription", async () => {
  const { listen, subscriptions } = serving();
  const resourceSubscriptions = Array.from({ length: 200 }, (_, at) => `odd://each/${at}`);
  await expect(listen({ resourceSubscriptions, resourcesListChanged: true })).rejects.toThrow("too many resources");
  expect(subscriptions.count).toBe(0);
});

test.each([[1_000, true], [1_001, false]])("a URI of %d characters can be followed: %p", async (length, isFollowed) => {
  const uri = "odd://each/".padEnd(length, "x");
  const { honoured } = await serving().listen({ resourceSubscriptions: [uri] });
  expect(honoured.resourceSubscriptions?.length ?? 0).toBe(Number(isFollowed));
});
