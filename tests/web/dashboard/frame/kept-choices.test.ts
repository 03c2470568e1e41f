// What the browser keeps of a person's choices, also if it allows no storage; and the page's own try to connect.

import { afterEach, describe, expect, test } from "bun:test";
import { h } from "preact";
import { Refusal, settle, show } from "../../support/browser.ts";
import { openDashboard } from "../../support/dashboard.ts";

const { answers, connectProblem, document, inState, sent, stored: kept } = await openDashboard();
const { connectOnce, ConnectButton } = await import("../../../../web/dashboard/frame/auto-connect.tsx");
const { hasShortcuts, listenToKeys } = await import("../../../../web/dashboard/frame/shortcuts.ts");
const { chooseTheme, restoreTheme, theme } = await import("../../../../web/dashboard/frame/theme.ts");
const { store, stored } = await import("../../../../web/dashboard/kept/browser-storage.ts");

const shown = () => [theme.value, document.documentElement.dataset["theme"]];
const storage = globalThis.localStorage;
afterEach(() => {
  globalThis.localStorage = storage;
  kept.clear();
});

test.each([
  [null, "system", undefined],
  ["light", "light", "light"],
  ["dark", "dark", "dark"],
  ["system", "system", undefined],
  ["sepia", "system", undefined],
])("colours that were kept as %p are %p", (value, expected, onPage) => {
  chooseTheme("dark");
  if (value === null) kept.clear();
  else kept.set("mkt-theme", value);
  restoreTheme();
  expect(shown()).toEqual([expected, onPage]);
});

test("a browser that allows no storage has what is chosen for this page", () => {
  const refuse = () => {
    throw new DOMException("no storage", "SecurityError");
  };
  globalThis.localStorage = { getItem: refuse, setItem: refuse } as unknown as Storage;
  store("a", "b");
  expect(stored("a")).toBeNull();
  chooseTheme("dark");
  expect(shown()).toEqual(["dark", "dark"]);
  restoreTheme();
  expect(shown()).toEqual(["system", undefined]);
});

test.each([["off", false], ["on", true], [null, true]])("keys that were kept as %p work: %p", (value, works) => {
  if (value !== null) kept.set("mkt-shortcuts", value);
  hasShortcuts.value = !works;
  const done: string[] = [];
  const nothing = () => {};
  const others = { search: nothing, mute: nothing, watch: nothing, live: nothing, palette: nothing };
  listenToKeys({ ...others, help: () => done.push("help") });
  document.dispatch({ type: "keydown", key: "?", timeStamp: 0 });
  expect([hasShortcuts.value, done]).toEqual([works, works ? ["help"] : []]);
});

describe("a connection that the page asks for", () => {
  test("is asked for once at a time, the problem of before is forgotten meanwhile", async () => {
    const { promise, resolve } = Promise.withResolvers();
    answers["mkt_connect_pubsub"] = () => promise;
    connectProblem.value = { code: "c", message: "of before" };
    inState({ connection: { status: "disconnected", wasDisconnected: true }, connectProblem: connectProblem.value });
    const page = await show(h(ConnectButton, {}));
    await page.click("Connect");
    expect(connectProblem.value).toBeNull();
    expect(sent.map(({ body }) => body)).toEqual([{ arguments: {} }]);
    // By itself the page would ask too, now that nobody has disconnected the server.
    await settle(connectOnce);
    await settle(() => inState({ connection: { status: "disconnected" } }));
    expect(sent.length).toBe(1);
    await settle(() => resolve({ status: "success" }));
    expect(page.text).toBe("<Connect>");
  });

  test.each([
    ["refused", () => new Refusal(503, { code: "refused", message: "No." }), "refused"],
    ["without an answer", () => new Refusal(504, { code: "timeout", message: "Late." }), "timeout"],
  ])("that is %s is told, and not tried again by itself", async (_name, failure, code) => {
    answers["mkt_connect_pubsub"] = () => {
      throw failure();
    };
    await settle(() => inState({}));
    await settle(() => inState({ connection: { status: "disconnected" } }));
    expect([sent.length, connectProblem.value?.code]).toEqual([1, code]);
    await settle(() => inState({ connection: { status: "disconnected", userId: null }, connectProblem: null }));
    expect(sent.length).toBe(1);
    await settle(() => inState({ connection: null }));
    expect(sent.length).toBe(1);
  });
});
