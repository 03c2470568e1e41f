// Signing in and out within one request.

import { expect, test } from "bun:test";
import { RequestBrowser } from "../../../../core/server/sessions/request-browser.ts";

const CURRENT = { access: "control", caller: "desk", requestToken: "c", endsAt: 9 } as const;
const WITHOUT = { access: null, caller: null } as never;

interface Given {
  readonly needsToken?: boolean;
  readonly offersControl?: boolean;
  readonly signed?: object | null;
}

function browserOf({ needsToken = true, offersControl = true, signed = null }: Given, begun: object = { begun: 1 }) {
  const asked: unknown[] = [];
  const connection = { address: "::1", setIdleTimeout: () => {} };
  const sessions = {
    needsToken,
    offersControl,
    withoutCookie: WITHOUT,
    signedSessionOf: () => signed,
    reduced: (session: object) => ({ ...session, access: "view" }),
    begin: (access: string, token: string, from: object) => {
      asked.push([access, token, from === connection]);
      return Promise.resolve(begun);
    },
    cookieOf: (session: object | null) => session === null ? "gone" : JSON.stringify(session),
  };
  const request = new Request("http://x/");
  return { browser: new RequestBrowser(sessions as never, request, connection, CURRENT as never), asked };
}

test("whoever signs in has the session that begins, with its cookie", async () => {
  const { browser, asked } = browserOf({});
  expect([browser.needsToken, browser.offersControl, browser.session, browser.cookie]).toEqual([
    true,
    true,
    CURRENT,
    null,
  ]);
  expect(await browser.signIn("control", "secret")).toBeNull();
  expect(asked).toEqual([["control", "secret", true]]);
  expect([browser.session as unknown, browser.cookie]).toEqual([{ begun: 1 }, '{"begun":1}']);
});

test("a refused sign-in changes nothing, and answers with the refusal", async () => {
  const { browser } = browserOf({}, { status: 401, code: "unauthorized", message: "m" });
  expect((await browser.signIn("view", "wrong"))?.status).toBe(401);
  expect([browser.session, browser.cookie]).toEqual([CURRENT, null]);
});

test("nobody gets control from a server that is read-only", async () => {
  const { browser, asked } = browserOf({ offersControl: false });
  await expect(browser.signIn("control", "secret")).rejects.toMatchObject({ code: "read_only" });
  expect(await browser.signIn("view", "secret")).toBeNull();
  expect(asked).toEqual([["view", "secret", true]]);
});

test("from control back to view no token is needed, for all else one is", async () => {
  const { browser, asked } = browserOf({ signed: CURRENT });
  expect(await browser.signIn("view", undefined)).toBeNull();
  expect(browser.session).toEqual({ ...CURRENT, access: "view" });
  expect(browser.cookie).toContain('"view"');
  await expect(browser.signIn("control", undefined)).rejects.toMatchObject({ code: "forbidden" });
  await expect(browserOf({}).browser.signIn("view", undefined)).rejects.toMatchObject({ code: "forbidden" });
  expect(asked).toEqual([]);
});

test("without tokens viewing needs no session, and control begins one", async () => {
  const { browser, asked } = browserOf({ needsToken: false });
  expect(await browser.signIn("view", undefined)).toBeNull();
  expect([browser.session, browser.cookie]).toEqual([WITHOUT, "gone"]);
  expect(await browser.signIn("control", undefined)).toBeNull();
  expect([asked, browser.cookie]).toEqual([[["control", "", true]], '{"begun":1}']);
});

test("whoever signs out has no session, and no cookie", () => {
  const { browser } = browserOf({});
  browser.signOut();
  expect([browser.session, browser.cookie]).toEqual([WITHOUT, "gone"]);
});
