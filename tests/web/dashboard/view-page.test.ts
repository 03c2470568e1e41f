// The page that only looks, at `/`: it shows nothing that changes something, also to whom has control. reading.ts explains the
// notation.

import { expect, test } from "bun:test";
import { h } from "preact";
import { settle, show } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { SESSION } from "../support/market.ts";

const dashboard = await openDashboard("/");
const { answers, inState, location } = dashboard;
const { App } = await import("../../../web/dashboard/app.tsx");
const { keepWindowTitle } = await import("../../../web/dashboard/frame/window-title.ts");
const { askSession } = await import("../../../web/dashboard/live/session.ts");

async function page(hash: string) {
  location.hash = hash;
  dashboard.listeners.dispatch({ type: "hashchange" });
  return await show(h(App, {}));
}

test.each(["view", "control"] as const)(
  "with %s shows the market and the way to control, and no control",
  async (access) => {
    inState({ session: { access } });
    const shown = await page("#/operate");
    expect(shown.text).toContain("‹good›Open Plains");
    expect(shown.text).toEndWith("This page is for Control.");
    expect(shown.text).not.toMatch(/CONTROL|\(#\/operate\)/);
    await shown.click("Control");
    expect(location.assigned).toEqual(["/control#/operate"]);
  },
);

test("offers no control if there is none", async () => {
  inState({ session: { access: "view", offersControl: false } });
  expect((await page("")).text).not.toContain("<Control>");
});

test("asks whoever has not signed in for a token, to look unless they choose control, and opens the page of that", async () => {
  inState({ session: { access: null, caller: null } });
  const shown = await page("");
  expect(shown.text).toContain("(x) Look only");
  expect(shown.text).not.toContain("‹control›");
  answers["GET /dashboard/session"] = { ...SESSION, access: null };
  answers["POST /dashboard/session"] = SESSION;
  await settle(() => void shown.all("input")[2]!.dispatch({ type: "change" }));
  await shown.type("Token", "secret");
  expect(shown.text).toContain("‹control›Sign in to mkt");
  await settle(() => void shown.all("form")[0]!.dispatch({ type: "submit" }));
  expect(location.assigned).toEqual(["/control"]);
});

test("its title says nothing of control, and that the session has ended is said with its reason", async () => {
  const link = dashboard.document.createElement("link");
  link.setAttribute("rel", "icon");
  dashboard.document.documentElement.append(link);
  keepWindowTitle();
  expect([dashboard.document.title.includes("CONTROL"), link.attributes.get("href")]).toEqual([
    false,
    "/assets/icon-view.svg",
  ]);
  for (
    const [expiresAt, reason] of [
      [Date.now() - 1_000, "Your session has expired."],
      [Date.now() + 3_600_000, "Your session has ended: the token was changed or withdrawn"],
    ] as const
  ) {
    inState({ session: { access: "view", expiresAt: new Date(expiresAt).toISOString() } });
    answers["GET /dashboard/session"] = { ...SESSION, access: null, expiresAt: null };
    await settle(() => void askSession());
    expect((await page("")).text).toContain(reason);
  }
});

test("a server of another version is noticed, and the same one is not", async () => {
  answers["GET /dashboard/session"] = { ...SESSION, access: "view" };
  await settle(() => void askSession());
  expect((await page("")).text).not.toContain("Reload");
  answers["GET /dashboard/session"] = { ...SESSION, access: "view", version: "1.2.4" };
  await settle(() => void askSession());
  expect((await page("")).text).toContain("The server is now mkt 1.2.4.");
});
