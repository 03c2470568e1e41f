// Keys, title, signing in, control and search: the rest of the frame around every page. reading.ts explains the notation.

import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { openDashboard, type State } from "../support/dashboard.ts";
import type { SearchAnswer } from "../../../web/contract/search.ts";
import { Refusal, settle, show } from "../support/browser.ts";
import { SESSION } from "../support/market.ts";

const dashboard = await openDashboard();
const { endReason, inState } = dashboard;
const { App } = await import("../../../web/dashboard/app.tsx");
const { ControlBand } = await import("../../../web/dashboard/frame/control-band.tsx");
const { Search } = await import("../../../web/dashboard/frame/search.tsx");
const { hasShortcuts, keepShortcuts, listenToKeys } = await import("../../../web/dashboard/frame/shortcuts.ts");
const { ControlGate, SignIn } = await import("../../../web/dashboard/frame/sign-in.tsx");
const { keepWindowTitle } = await import("../../../web/dashboard/frame/window-title.ts");

test("the keys lead to pages after a g, and do nothing while somebody types or if they are off", () => {
  const done: string[] = [];
  const actions = ["search", "help", "mute", "watch", "palette"] as const;
  listenToKeys(Object.fromEntries(actions.map((name) => [name, () => done.push(name)])) as never);
  const { document, location } = dashboard;
  const press = (key: string, timeStamp: number, more: object = {}) =>
    document.dispatch({ type: "keydown", key, timeStamp, ...more });
  expect(["/", "?", "q", "w", "x"].map((key) => press(key, 0))).toEqual([true, true, true, true, false]);
  expect(done.splice(0)).toEqual(["search", "help", "mute", "watch"]);
  const pages = ["m", "s", "e", "i", "c", "v", "w", "b", "a", "x"].map((key, index) => {
    location.hash = "";
    press("g", index * 10_000);
    press(key, index * 10_000 + 1_499);
    return location.hash;
  });
  expect(pages).toEqual(
    ["market", "spot", "entities", "simulation", "credit", "events", "watchlist", "side-by-side", "alerts"]
      .map((name) => `#/${name}`).concat(""),
  );
  press("g", 100_000);
  press("m", 101_500);
  press("m", 101_501);
  press("g", 200_000);
  press("x", 200_010);
  press("m", 200_020);
  expect(location.hash).toBe("");
  press("g", 300_000);
  press("g", 300_010);
  press("m", 300_020);
  expect(location.hash).toBe("#/market");
  location.hash = "";
  for (const held of ["ctrlKey", "metaKey", "altKey", "isComposing"]) press("/", 0, { [held]: true });
  const input = document.createElement("input");
  document.body.append(input);
  input.dispatch({ type: "keydown", key: "/" });
  expect(done).toEqual([]);
  for (const held of ["ctrlKey", "metaKey", "x"]) press("k", 0, { [held]: true });
  expect(done.splice(0)).toEqual(["palette", "palette"]);
  keepShortcuts(false);
  press("/", 0);
  expect([done.length, dashboard.stored.get("mkt-shortcuts")]).toEqual([0, "off"]);
  keepShortcuts(true);
  expect([hasShortcuts.value, dashboard.stored.get("mkt-shortcuts")]).toEqual([true, "on"]);
  input.remove();
});

test("the box for the keys shows whether they work, and is what it is set to", async () => {
  const { About } = await import("../../../web/dashboard/frame/about.tsx");
  for (const works of [true, false]) {
    keepShortcuts(works);
    const page = await show(h(About, { onClose: () => {} }));
    const box = page.all("input")[0]!;
    const seen = [box.checked];
    for (const chosen of [!works, works]) {
      box.checked = chosen;
      await settle(() => void box.dispatch({ type: "change" }));
      seen.push(hasShortcuts.value, box.checked);
    }
    expect(seen).toEqual([works, !works, !works, works, works]);
    expect(dashboard.stored.get("mkt-shortcuts")).toBe(works ? "on" : "off");
    await page.redraw(null);
  }
  keepShortcuts(true);
});

test("the title and the picture of the window tell of a halt, a freeze, a lost contact and control", () => {
  const { document } = dashboard;
  const link = document.createElement("link");
  link.setAttribute("rel", "icon");
  document.documentElement.append(link);
  keepWindowTitle();
  const seen = ([{}, { markets: [{}, { halted: true }] }, { frozen: { reason: null, since: null } }, {
    connection: { status: "reconnecting" },
  }] satisfies Partial<State>[]).map((state) => {
    inState(state);
    return [document.title.replace(/(?<=CONTROL).*/, "").replaceAll(" - ", " "), link.attributes.get("href")];
  });
  expect(seen).toEqual([
    ["CONTROL", "/assets/icon-control.svg"],
    ["HALTED CONTROL", "/assets/icon-halted.svg"],
    ["FROZEN CONTROL", "/assets/icon-control.svg"],
    ["NOT LIVE CONTROL", "/assets/icon-control.svg"],
  ]);
});

test("control says how long it lasts, and ends when it is left", async () => {
  inState({ session: { expiresAt: new Date(Date.now() + 3_599_000).toISOString() } });
  const page = await show(h(ControlBand, {}));
  expect(page.text).toMatch(
    /CONTROL.*\[Halt, freeze, connect\]\(#\/operate\) Ends in (59:5\d|1:00:00) <Leave control>/,
  );
  dashboard.answers["GET /dashboard/session"] = SESSION;
  dashboard.answers["POST /dashboard/session"] = { ...SESSION, access: "view" };
  await page.click("Leave control");
  expect(dashboard.sent.at(-1)!.body).toEqual({ access: "view" });
  expect(dashboard.location.assigned).toEqual(["/"]);
  inState({ session: { expiresAt: null } });
  expect((await show(h(ControlBand, {}))).text).not.toContain("Ends");
});

describe("signing in", () => {
  const form = async (content: Parameters<typeof show>[0]) => {
    const page = await show(content);
    return { page, submit: () => settle(() => void page.all("form")[0]!.dispatch({ type: "submit" })) };
  };

  test("asks what for, and sends the token once", async () => {
    inState({ session: { access: null, caller: null } });
    endReason.value = "Control has expired.";
    const { page, submit } = await form(h(SignIn, {}));
    expect(page.text).toContain("‹control›Sign in to mkt\n‹reason›Control has expired.\nToken");
    expect(page.text).toContain("( ) Look only");
    expect(page.text).toContain("(x) Control");
    expect(page.text).toContain("<‹danger›Sign in ✗>");
    await submit();
    expect(dashboard.sent).toEqual([]);
    dashboard.answers["GET /dashboard/session"] = { ...SESSION, access: null };
    dashboard.answers["POST /dashboard/session"] = () => {
      throw new Refusal(401, { code: "unauthorized", message: "No such token." });
    };
    await page.type("Token", "secret");
    await submit();
    expect(dashboard.sent.at(-1)!.body).toEqual({ access: "control", token: "secret" });
    expect(page.text).toContain("wrong token No such token.");
    expect(page.text).toContain("{__}");
    await page.type("Token", "right");
    await settle(() => void page.all("input")[1]!.dispatch({ type: "change" }));
    expect(page.text).toContain("(x) Look only");
    expect(page.text).not.toMatch(/‹control›|danger/);
    dashboard.answers["POST /dashboard/session"] = { ...SESSION, access: "view" };
    await submit();
    expect([dashboard.sent.at(-1)!.body, dashboard.location.assigned]).toEqual([{ access: "view", token: "right" }, [
      "/",
    ]]);
  });

  test("offers no control on a read-only server", async () => {
    inState({ session: { access: null, offersControl: false } });
    const { page } = await form(h(SignIn, {}));
    expect(page.text).not.toMatch(/What for|control›|Back to looking/);
    inState({ session: { access: "view", offersControl: false } });
    expect((await form(h(ControlGate, {}))).page.text).toContain("This server is read-only");
  });

  test("somebody who looks takes control, without a token if none is needed, and stays on this page", async () => {
    inState({ session: { access: "view", needsToken: false } });
    const { page, submit } = await form(h(ControlGate, {}));
    expect(page.text).toMatch(/<‹danger›Take control>\s*\[Back to looking\]\(\/\)/);
    expect(page.text).not.toContain("Token");
    dashboard.answers["GET /dashboard/session"] = { ...SESSION, access: "view" };
    dashboard.answers["POST /dashboard/session"] = SESSION;
    await submit();
    expect([dashboard.sent.at(-1)!.body, dashboard.location.assigned]).toEqual([{ access: "control" }, []]);
    inState({ session: { access: "view", needsToken: true } });
    expect((await form(h(ControlGate, {}))).page.text).toContain("Token");
  });

  test("a server that can't be reached is no wrong token", async () => {
    inState({ session: { access: "view", needsToken: false } });
    const { page, submit } = await form(h(ControlGate, {}));
    dashboard.answers["GET /dashboard/session"] = () => {
      throw new TypeError("fetch failed");
    };
    await submit();
    expect(page.text).toContain("no_answer The server can't be reached.");
  });
});

describe("the whole page", () => {
  test.each<[name: string, state: Partial<State>, hash: string, has: string, hasNot: string]>([
    ["nobody is known", { session: null }, "", "", "Sign in"],
    ["nobody has signed in", { session: { access: null } }, "", "Sign in to mkt", "Acting user"],
    ["somebody looks", { session: { access: "view" } }, "", "<‹danger›Take control", "Acting user"],
    ["somebody controls", {}, "#/operate", "‹good›not frozen", "Take control"],
    ["the page is unknown", {}, "#/nowhere", "No such page", "contracts"],
  ])("if %s", async (_name, state, hash, has, hasNot) => {
    inState(state);
    dashboard.location.hash = hash;
    dashboard.listeners.dispatch({ type: "hashchange" });
    const { text } = await show(h(App, {}));
    expect(text).toContain(has);
    expect(text).not.toContain(hasNot);
  });
});

describe("the search", () => {
  const ANSWER: SearchAnswer = {
    text: "ce",
    hasMore: true,
    results: [
      { kind: "contract", id: "N-6", title: "NORTH hours", detail: "name" },
      { kind: "contract", id: "N-5", title: "N-5", detail: "expired" },
      { kind: "entity", id: "CEDAR", title: "Cedar", detail: "CE" },
      { kind: "user", id: "carl", title: "Carl", detail: "user", entityId: null },
    ],
  };
  /** Typed, and answered. */
  async function searched(answer: unknown) {
    dashboard.answers["GET /dashboard/search"] = answer;
    const page = await show(h(Search, {}));
    await page.type("Search contracts, entities, orders, users", " ce ");
    await dashboard.later();
    return page;
  }
  const chosen = (page: Awaited<ReturnType<typeof searched>>) =>
    page.all("search-option").findIndex(({ attributes }) => attributes.get("aria-selected") === "true");

  test("groups what it has found, goes through it with the keys, and opens what is chosen", async () => {
    const page = await searched(ANSWER);
    expect(page.text).toContain(
      "Contracts\nN-6 NORTH hours\nN-5 expired\nEntities\nCEDAR Cedar CE\nUsers\ncarl Carl user",
    );
    expect(page.text).toEndWith("There is more: type more letters.");
    const field = page.all("input")[0]!;
    const press = (key: string) => settle(() => void field.dispatch({ type: "keydown", key }));
    const places = [chosen(page)];
    for (const key of ["ArrowDown", "ArrowUp", "ArrowUp"]) {
      await press(key);
      places.push(chosen(page));
    }
    expect(places).toEqual([0, 1, 0, 3]);
    await press("Enter");
    expect(page.text).toContain("carl");
    await page.click("CEDAR Cedar CE");
    expect([dashboard.location.hash, page.text]).toEqual(["#/entities/CEDAR", "{__}"]);
  });

  test("says that nothing was found, or why it failed, and closes with Escape", async () => {
    const none = await searched({ text: "ce", hasMore: false, results: [] });
    expect(none.text).toContain("Nothing that the acting user may see matches “ce”.");
    await settle(() => void none.all("input")[0]!.dispatch({ type: "keydown", key: "Escape" }));
    expect(none.text).toBe("{__}");
    dashboard.sent.length = 0;
    const failed = await searched(() => {
      throw new Refusal(403, { code: "forbidden", message: "Not allowed.", hint: "Not for people." });
    });
    expect(failed.text).toContain("Not allowed. This server acts as one user at a time");
  });
});
