// A view and its chat host: what the host tells, what the view asks, and what it shows if there is no host. In place of the
// extension's own code, which needs a window around the page, a host that a test plays.

import { beforeEach, describe, expect, mock, test } from "bun:test";
import * as library from "@modelcontextprotocol/ext-apps";
import { atEnd } from "../../support/at-end.ts";
import { h } from "preact";
import type { Values } from "../../../web/views/tool-answer.ts";
import { openBrowser, settle, show } from "../support/browser.ts";
import { BOOK } from "../support/market.ts";

const { document } = openBrowser();
Object.assign(document.documentElement.style, {
  removeProperty: (name: string) => delete document.documentElement.style[name],
});

interface Call {
  readonly name: string;
  readonly values: Values;
  readonly answer: (result: object) => Promise<void>;
  readonly fail: (error: Error) => Promise<void>;
}

/** What the host does next, and what it was asked. */
const host = {
  connects: true,
  offersTools: true,
  changesMode: true,
  /** In place of the mode that it is asked for. */
  onlyMode: null as string | null,
  context: {} as Record<string, unknown>,
  calls: [] as Call[],
  modes: [] as string[],
  limits: [] as [asked: string, ms: number][],
  listeners: {} as Record<string, (given: never) => void>,
  teardown: (() => ({})) as () => object,
  made: [] as object[],
};

class App {
  constructor(readonly info: { readonly name: string; readonly version: string }, readonly offers: object) {
    Object.assign(host, { made: [info, offers] });
  }
  addEventListener(type: string, listener: (given: never) => void) {
    host.listeners[type] = listener;
  }
  set onteardown(run: () => object) {
    host.teardown = run;
  }
  connect(_transport: unknown, { timeout }: { timeout: number }) {
    host.limits.push(["connect", timeout]);
    return host.connects ? Promise.resolve() : Promise.reject(new Error("Nobody answers."));
  }
  getHostContext() {
    return host.context;
  }
  getHostCapabilities() {
    return host.offersTools ? { serverTools: {} } : {};
  }
  callServerTool({ name, arguments: values }: { name: string; arguments: Values }, { timeout }: { timeout: number }) {
    host.limits.push([name, timeout]);
    const { promise, resolve, reject } = Promise.withResolvers<object>();
    const call = { name, values, answer: (result: object) => settle(() => resolve(result)) };
    host.calls.push({ ...call, fail: (error) => settle(() => reject(error)) });
    return promise;
  }
  requestDisplayMode({ mode }: { mode: string }) {
    host.modes.push(mode);
    return host.changesMode ? Promise.resolve({ mode: host.onlyMode ?? mode }) : Promise.reject(new Error("It can't."));
  }
}

const real = { ...library };
mock.module("@modelcontextprotocol/ext-apps", () => ({ ...real, App }));
atEnd(() => mock.module("@modelcontextprotocol/ext-apps", () => real));
const { Frame } = await import("../../../web/views/frame.tsx");
const { OpenedView } = await import("../../../web/views/opened-view.ts");
const { orderBookView } = await import("../../../web/views/order-book-view.tsx");
const { watchVisibility } = await import("../../../web/views/visibility.ts");
const { positionsView } = await import("../../../web/views/positions-view.tsx");

beforeEach(() => {
  Object.assign(host, { connects: true, offersTools: true, changesMode: true, onlyMode: null, context: {} });
  host.calls.length = host.modes.length = host.limits.length = 0;
});

const tell = (type: string, given: object) => settle(() => host.listeners[type]!(given as never));
const result = (values: object) => ({ structuredContent: values, content: [] });
const of = (tool: string) => host.calls.filter(({ name }) => name === tool);

async function opened(view: typeof orderBookView = orderBookView) {
  const made = new OpenedView("order-book", view);
  const page = await show(h(Frame, { opened: made }));
  atEnd(() => void host.teardown());
  return { made, page };
}

describe("a view", () => {
  test("that no chat host has opened says so, and does not wait", async () => {
    host.connects = false;
    const { page, made } = await opened();
    expect([made.host.status.value, page.all("skeleton").length]).toEqual(["absent", 0]);
    expect(page.text).toContain("No chat host answers");
  });

  test("waits for its result, shows it as live, and is closed when the host closes it", async () => {
    const { page, made } = await opened();
    expect([made.host.status.value, page.all("skeleton").length]).toEqual(["connected", 1]);
    await tell("toolinput", { arguments: { contractId: "N-6" } });
    await tell("toolresult", result(BOOK));
    expect(page.all("skeleton")).toEqual([]);
    expect(page.text).toContain("‹good›Live");
    await settle(() => void expect(host.teardown()).toEqual({}));
    expect(page.text).toContain("‹neutral›Closed");
    made.live.retry();
    expect(of("mkt_get_order_book")).toEqual([]);
  });

  test.each([
    ["a reason", { reason: "too slow" }, "cancelled The call was cancelled: too slow."],
    ["no reason", {}, "cancelled The call was cancelled.\nAsk the assistant"],
  ])("whose call was cancelled for %s says so", async (_name, given, expected) => {
    const { page } = await opened();
    await tell("toolcancelled", given);
    expect(page.text).toContain(expected);
  });

  test("names itself, and waits ten seconds for its host and for each call", async () => {
    await opened();
    expect(host.made).toEqual([
      { name: "mkt order-book", version: "1" },
      { availableDisplayModes: ["inline", "fullscreen"] },
    ]);
    await tell("toolresult", result({ ...BOOK }));
    expect(host.limits.length).toBeGreaterThan(1);
    expect(host.limits[0]).toEqual(["connect", 10_000]);
    expect(new Set(host.limits.map(([, ms]) => ms))).toEqual(new Set([10_000]));
  });

  test("asks its tool again with the arguments of its result, and with others that are chosen", async () => {
    const { made, page } = await opened();
    await tell("toolinput", { arguments: {} });
    await tell("toolresult", result(BOOK));
    made.live.retry();
    made.follow!({ contractId: "W-6" });
    expect(of("mkt_get_order_book").map(({ values }) => values)).toEqual([{ contractId: "N-6" }, {
      contractId: "W-6",
    }]);
    expect(made.values.value).toEqual({ contractId: "W-6" });
    await of("mkt_get_order_book")[1]!.answer(result({ ...BOOK, contractId: "W-6" }));
    expect(page.text).toContain("W-6\nSum");
    made.live.retry();
    await of("mkt_get_order_book")[2]!.fail(new Error("Lost."));
    expect(page.text).toContain("host The chat host could not ask the server: Lost.");
    expect(page.text).toContain("‹warning›Not live");
  });

  test("asks at once for what suits it, if the result that opened it does not", async () => {
    await opened(positionsView);
    await tell("toolinput", { arguments: { entityId: "E" } });
    await tell("toolresult", result({ id: "E" }));
    expect(of("mkt_get_entity").map(({ values }) => values)).toEqual([{ entityId: "E", positions: true }]);
  });

  test("learns the market's time zone once it has a result, and asks for it once", async () => {
    const { made } = await opened();
    await tell("toolresult", { isError: true, content: [{ type: "text", text: "no" }] });
    expect(of("mkt_get_market_state")).toEqual([]);
    await tell("toolresult", result(BOOK));
    await tell("toolresult", result(BOOK));
    expect(of("mkt_get_market_state").length).toBe(1);
    await of("mkt_get_market_state")[0]!.answer(result({ timezone: "America/Edmonton" }));
    expect(made.marketTimezone.value).toBe("America/Edmonton");
  });

  test("of a host that passes no calls on shows what it got, and asks nothing", async () => {
    host.offersTools = false;
    const { made, page } = await opened();
    await tell("toolresult", result(BOOK));
    made.live.retry();
    expect([made.follow, host.calls.length]).toEqual([null, 0]);
    expect(page.text).toContain("‹neutral›Fixed");
    const positions = await opened(positionsView);
    await tell("toolresult", result({ id: "E", name: "Elm" }));
    expect(positions.page.text).toContain("The result has no positions");
  });

  test("asks nothing while its window is behind others, and at once when it is in front again", async () => {
    const { made } = await opened();
    await tell("toolresult", result({ ...BOOK, contractId: "V-6" }));
    const inWindow = (visibilityState: string) => {
      Object.assign(document, { visibilityState });
      document.dispatch({ type: "visibilitychange" });
      made.live.retry();
      return of("mkt_get_order_book").filter(({ values }) => values["contractId"] === "V-6").length;
    };
    expect([inWindow("hidden"), inWindow("visible")]).toEqual([0, 1]);
  });

  test("follows the time zone and the display mode of its host", async () => {
    host.context = { timeZone: "America/Edmonton", availableDisplayModes: ["inline", "fullscreen"] };
    host.offersTools = false;
    const { page, made } = await opened();
    await tell("toolresult", result({ ...BOOK, stale: true, asOf: "2026-11-23T12:00:00Z" }));
    expect(page.text).toContain("data of 05:00:00");
    host.context = { ...host.context, timeZone: "UTC" };
    await tell("hostcontextchanged", {});
    expect(page.text).toContain("data of 12:00:00");
    await page.click("Full screen");
    expect(page.text).toContain("<Leave full screen>");
    await page.click("Leave full screen");
    expect([page.text.includes("<Full screen>"), host.modes]).toEqual([true, ["fullscreen", "inline"]]);
    host.onlyMode = "inline";
    await page.click("Full screen");
    expect(page.text).toContain("<Full screen>");
    host.changesMode = false;
    await page.click("Full screen");
    expect(page.text).not.toContain("ull screen");
    expect(made.host.context.value.timeZone).toBe("UTC");
  });

  test("is light or dark, with the font and as large as its host says", async () => {
    const { documentElement: root } = document;
    const toggled: unknown[] = [];
    Object.assign(root.classList, { toggle: (name: string, isOn: boolean) => void toggled.push(name, isOn) });
    host.context = { theme: "dark", displayMode: "fullscreen", styles: { variables: { "--font-sans": "Arial" } } };
    await opened();
    const look = () => [root.attributes.get("data-theme"), root.style["fontFamily"], root.style["--font-sans"]];
    expect([look(), toggled]).toEqual([["dark", "var(--font-sans)", "Arial"], ["is-fullscreen", true]]);
    host.context = { displayMode: "inline" };
    await tell("hostcontextchanged", {});
    expect([look(), toggled.slice(2)]).toEqual([["dark", "var(--font-sans)", "Arial"], ["is-fullscreen", false]]);
  });
});

test("a view is visible while its window is in front and the chat shows it", () => {
  const { IntersectionObserver } = globalThis;
  let scroll: (isIntersecting: boolean | null) => void = () => {};
  globalThis.IntersectionObserver = class {
    constructor(tell: (entries: object[]) => void) {
      scroll = (isIntersecting) => tell(isIntersecting === null ? [] : [{ isIntersecting: false }, { isIntersecting }]);
    }
    observe() {}
  } as never;
  const told: boolean[] = [];
  watchVisibility((isVisible) => told.push(isVisible));
  globalThis.IntersectionObserver = IntersectionObserver;
  const front = (visibilityState: string) => {
    Object.assign(document, { visibilityState });
    document.dispatch({ type: "visibilitychange" });
  };
  for (const step of [() => scroll(false), () => front("hidden"), () => scroll(true), () => front("visible")]) step();
  for (const step of [() => scroll(false), () => scroll(null)]) step();
  expect(told).toEqual([false, false, false, true, false, true]);
});
