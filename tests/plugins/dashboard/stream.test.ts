// When the streams of pages look for changes: all at the same ticks, some in each turn, and none once a page has gone.

import { expect, jest, test } from "bun:test";
import dashboard from "../../../plugins/dashboard/index.ts";
import { stream } from "../../../plugins/dashboard/stream.ts";
import { UpdateSource, type UpdateText } from "../../../plugins/dashboard/update-source.ts";
import type { HandledRoute, RouteContext } from "../../../core/routes/route.ts";
import { atEnd } from "../../support/at-end.ts";
import { replaced } from "../../support/replaced.ts";

/** Streams over a source that gives `updates` to each, with the timers that they set. */
function streams(next: (this: UpdateSource, now: number) => UpdateText | null) {
  const clock = { now: 1_030.25 };
  const now = jest.spyOn(performance, "now").mockImplementation(() => clock.now);
  atEnd(() => now.mockRestore());
  const timers: { task: () => void; ms: number }[] = [];
  const turns: (() => void)[] = [];
  replaced(globalThis, "setTimeout" as never, ((task: () => void, ms: number) => timers.push({ task, ms })) as never);
  replaced(globalThis, "setImmediate" as never, ((task: () => void) => turns.push(task)) as never);
  const looks: number[] = [];
  const who: UpdateSource[] = [];
  replaced(UpdateSource.prototype, "next", function (this: UpdateSource, at: number) {
    looks.push(at);
    who.push(this);
    return next.call(this, at);
  } as never);
  const open = () => {
    const end = new AbortController();
    const request = { url: new URL("http://localhost/"), headers: new Headers() };
    const context = { events: {}, signal: end.signal } as unknown as RouteContext;
    const reader = stream(request as never, context).body!.getReader();
    const read: string[] = [];
    const isOver = (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        read.push(String(part.value));
      }
    })();
    return { read, end: () => end.abort(), isOver };
  };
  /** Lets everything settle that needs no time. */
  const settle = async () => {
    for (let turn = 0; turn < 100; turn++) await Promise.resolve();
  };
  const tick = async (at: number) => {
    clock.now = at;
    timers.shift()!.task();
    await settle();
  };
  const turn = async () => {
    turns.shift()!();
    await settle();
  };
  return { clock, timers, turns, looks, who, open, settle, tick, turn };
}

const TEXT = { position: "1.2", text: "{}" };

test("streams look at the next whole tenth of a second together, and a tick is only awaited while somebody waits", async () => {
  let count = 0;
  const { timers, turns, looks, open, settle, tick, turn } = streams(() => count++ < 2 ? TEXT : null);
  const pages = [open(), open()];
  await settle();
  expect(pages.map(({ read }) => read)).toEqual([["id: 1.2\ndata: {}\n\n"], ["id: 1.2\ndata: {}\n\n"]]);
  expect([looks, timers.map(({ ms }) => ms), turns.length]).toEqual([[1_030.25, 1_030.25], [71], 0]);
  await tick(1_101.25);
  expect([looks.length, timers.length, turns.length]).toEqual([2, 0, 1]);
  await turn();
  expect([looks.slice(2), timers.map(({ ms }) => ms)]).toEqual([[1_101.25, 1_101.25], [100]]);
  // Those who are gone look no more, and nobody waits for a tick any more.
  pages.forEach(({ end }) => end());
  await tick(1_201);
  await turn();
  await Promise.all(pages.map(({ isOver }) => isOver));
  expect([looks.length, timers.length, turns.length]).toEqual([4, 0, 0]);
});

test("a stream that is behind looks again in the next turn, without a tick, and one without a position has no id", async () => {
  let left = 3;
  const { timers, turns, looks, open, settle, tick, turn } = streams(function () {
    left -= 1;
    this.hasMore = left > 0;
    return { position: null, text: `{"left":${left}}` };
  });
  const page = open();
  await settle();
  expect([page.read, timers.length, turns.length]).toEqual([['data: {"left":2}\n\n'], 0, 1]);
  await turn();
  await turn();
  expect([page.read.length, looks.length, timers.length, turns.length]).toEqual([3, 3, 1, 0]);
  page.end();
  await tick(1_101.25);
  await turn();
  await page.isOver;
});

test("at most 32 streams look in a turn, in their order", async () => {
  const { looks, who, turns, open, settle, tick, turn } = streams(() => null);
  const pages = Array.from({ length: 70 }, open);
  await settle();
  await tick(1_101.25);
  const seen: number[] = [];
  while (turns.length > 0) {
    const before = looks.length;
    await turn();
    seen.push(looks.length - before);
  }
  expect([seen, who.slice(70).map((source) => who.indexOf(source))]).toEqual([[32, 32, 6], [...Array(70).keys()]]);
  pages.forEach(({ end }) => end());
  await tick(1_201.25);
  while (turns.length > 0) await turn();
  await Promise.all(pages.map(({ isOver }) => isOver));
});

test("each route says what it needs: a session, a connection, a permission, and whether it may change something", () => {
  const routes = (dashboard.routes as HandledRoute[]).map((
    { method, path, readOnlyHint, browser, requires, allowedWhenFrozen, publicFile },
  ) => [`${method} ${path}`, publicFile ? "public" : browser, readOnlyHint, allowedWhenFrozen, requires]);
  const read = { connection: "read" };
  expect(routes.filter(([, who]) => who !== "public")).toEqual([
    ["GET /dashboard/session", "sign-in", true, undefined, undefined],
    ["POST /dashboard/session", "sign-in", true, undefined, undefined],
    ["DELETE /dashboard/session", "sign-in", true, undefined, undefined],
    ["GET /dashboard/stream", "session", true, undefined, undefined],
    ["GET /dashboard/history/:contractId", "session", true, undefined, read],
    ["GET /dashboard/past", "session", true, undefined, read],
    ["GET /dashboard/past/day", "session", true, undefined, read],
    ["GET /dashboard/past/orders", "session", true, undefined, { ...read, permissions: ["Market.View"] }],
    ["GET /dashboard/sparks", "session", true, undefined, read],
    ["GET /dashboard/search", "session", true, undefined, read],
    ["GET /dashboard/credit", "session", true, undefined, { ...read, permissions: ["Credit.View"] }],
    ["POST /dashboard/freeze", "session", false, true, undefined],
    ["POST /dashboard/orders/:orderId", "session", false, undefined, {
      connection: "write",
      permissions: ["Order.Submit"],
    }],
    ["POST /dashboard/tools/:tool", "session", true, undefined, undefined],
  ] as never);
  expect(routes.filter(([, who]) => who === "public").map(([path]) => path)).toEqual([
    "GET /",
    "GET /control",
    "GET /assets/dashboard.js",
    "GET /assets/dashboard-stream.js",
    "GET /assets/dashboard.css",
    "GET /assets/icon-view.svg",
    "GET /assets/icon-control.svg",
    "GET /assets/icon-halted.svg",
  ]);
  expect(dashboard.needs).toEqual({ setting: "dashboard", reason: "MKT_DASHBOARD=0" });
});
