// What the streams of all pages share: the state of the connection, of markets and of a freeze, and the marks of its users.

import { describe, expect, test } from "bun:test";
import type { ConnectionFacts, Session } from "../../../core/backend/pubsub.ts";
import { offersFreeze } from "../../../plugins/dashboard/freeze.ts";
import { liveMarketOf } from "../../../plugins/dashboard/live-market.ts";
import { configurationFor, factsOf, pubsubThatIs, servicesWith } from "../../core/support/services.ts";
import { EventBuffer } from "../../../core/market/event-buffer.ts";
import { Snapshot } from "../../../core/market/snapshot.ts";
import { wholeModule } from "../../support/modules.ts";
import { NOW } from "../support/still-market.ts";

const SESSION = pubsubThatIs("connected", ["Market.View"]).session!;

function live(given: Partial<ConnectionFacts> & { session?: Session | null; disconnects?: number } = {}) {
  const { session = SESSION, disconnects = 0, status = "connected", ...facts } = given;
  const state = { session, frozen: null as { reason: string | null; since: string | null } | null };
  const snapshot = new Snapshot();
  const events = new EventBuffer(10);
  const pubsub = {
    ...pubsubThatIs(status),
    disconnects,
    get session() {
      return state.session;
    },
    facts: () => ({ ...factsOf(status, state.session), status, ...facts }),
  };
  const configuration = configurationFor({});
  const services = servicesWith({ snapshot, events, pubsub, configuration, frozen: () => state.frozen });
  return { state, snapshot, events, market: liveMarketOf(services) };
}

describe("the connection that a page shows", () => {
  const clock = { engineTime: NOW, marketTime: NOW };

  test.each<[name: string, given: Parameters<typeof live>[0], expected: object]>([
    ["has the speed of its clock", { clock: { ...clock, mode: "accelerated", speed: 60 } as never }, { speed: 60 }],
    ["has no speed in lockstep", { clock: { ...clock, mode: "lockstep", speed: 1 } as never }, { speed: null }],
    ["has no speed without a clock", { clock: null }, { speed: null }],
    ["is well", { lastError: "An old fault." }, { status: "connected", stale: false, problem: null }],
    ["tells what is wrong", { status: "reconnecting", lastError: "Gone." }, { stale: true, problem: "Gone." }],
    ["has nothing to tell of", { status: "disconnected", session: null }, {
      permissions: [],
      stale: true,
      problem: null,
    }],
    ["was never ended by anybody", { disconnects: 0 }, { wasDisconnected: false }],
    ["was ended once", { disconnects: 1 }, { wasDisconnected: true }],
    ["lacks a part", { incomplete: true }, { incomplete: true }],
    ["has the permissions of its user", {}, { permissions: ["Market.View"], userId: "user-1", entityId: "entity-1" }],
  ])("%s", (_name, given, expected) => {
    expect(live(given).market.connection()).toMatchObject(expected);
  });

  test.each([
    [{}, false],
    [{ MKT_FREEZE_FILE: "/tmp/frozen" }, true],
    [{ MKT_REDIS_URL: "redis://localhost:1" }, true],
    [{ MKT_FREEZE_FILE: "/tmp/frozen", MKT_READ_ONLY: "true" }, false],
    [{ MKT_REDIS_URL: "redis://localhost:1", MKT_READ_ONLY: "true" }, false],
  ])("with %j offers a freeze: %p", (environment, offered) => {
    expect(offersFreeze({ configuration: configurationFor(environment as never) })).toBe(offered);
  });
});

describe("the rows of a user", () => {
  test("are nobody's without a session, and stay the same for the same user of the same engine", () => {
    const { state, market } = live({ session: null });
    expect(market.view()).toBeNull();
    state.session = SESSION;
    const first = market.view();
    expect(market.view()).toBe(first);
    state.session = { ...SESSION, epoch: 2, capabilities: [] };
    expect(market.view()).toBe(first);
  });

  test.each([
    ["another user", { userId: "user-2" }, false],
    ["another engine", { engineId: "engine-2" }, true],
  ])("are marked anew for %s, whose mark of the user is the same: %p", (_name, change, isSameUser) => {
    const { state, snapshot, market } = live();
    const first = market.view()!;
    snapshot.apply({ statePath: "/MARKET/m", state: { id: "m", ...wholeModule("MARKET", { name: "First" }) } }, NOW);
    expect(market.marketsText()).toContain("First");
    state.session = { ...SESSION, ...change };
    const second = market.view()!;
    expect([second.user === first.user, second.state === first.state]).toEqual([isSameUser, false]);
    state.session = SESSION;
    expect(market.view()!.state).not.toBe(first.state);
  });
});

test("markets are told as they are now", () => {
  const { snapshot, market } = live();
  expect(market.marketsText()).toBe("[]");
  const change = (id: string, status: string) =>
    snapshot.apply({ statePath: `/MARKET/${id}`, state: { id, ...wholeModule("MARKET", { status }) } }, NOW);
  change("m", "open");
  change("n", "closed");
  expect(JSON.parse(market.marketsText())).toMatchObject([{ id: "m", status: "open" }, { id: "n", status: "closed" }]);
  change("m", "halted");
  expect(JSON.parse(market.marketsText())).toMatchObject([{ id: "m", status: "halted" }, { id: "n" }]);
});

test("a freeze and its end are noticed within a quarter of a second, and not looked for more often", () => {
  const { state, market } = live();
  const frozen = { reason: "drill", since: NOW };
  expect(market.frozenText(1_000)).toBe("null");
  state.frozen = frozen;
  expect([1_249, 1_250].map((now) => JSON.parse(market.frozenText(now)))).toEqual([null, frozen]);
  state.frozen = null;
  expect([1_499, 1_500].map((now) => JSON.parse(market.frozenText(now)))).toEqual([frozen, null]);
});

test("a page of events has a text of its own for each epoch and each range of events", () => {
  const { events, market } = live();
  const push = (sequence: number, name: string) =>
    events.push({ sequence, type: "new.thing", time: NOW, data: { name } });
  const names = (since: number, limit = 9) => {
    const page: { data: { name: string } }[] = JSON.parse(`[${market.pageText(events.read({ since, limit }).events)}]`);
    return page.map(({ data }) => data.name).join("");
  };
  events.begin(7, 7);
  expect(names(7)).toBe("");
  for (const [at, name] of ["a", "b", "c"].entries()) push(8 + at, name);
  expect([1, 2, 3, 2].map((limit) => names(7, limit))).toEqual(["a", "ab", "abc", "ab"]);
  expect(names(8)).toBe("bc");
  events.begin(8, 8);
  for (const [at, name] of ["x", "y"].entries()) push(9 + at, name);
  expect(names(8)).toBe("xy");
});
