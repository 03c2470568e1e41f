// The cookie of a session: its name, what is read of it, and the header that sets it.

import { expect, test } from "bun:test";
import * as cookies from "../../../../core/server/sessions/session-cookie.ts";

const KEY = Buffer.from("k".repeat(32));
const OTHER = Buffer.from("o".repeat(32));
const ID = "i".repeat(22);
const CLAIMS = { caller: "desk", access: "view", since: 1000, id: ID } as const;

test.each([
  ["localhost", "mkt-session"],
  ["localhost:3000", "mkt-session-3000"],
  ["[::1]:3001", "mkt-session-3001"],
  [null, "mkt-session"],
])("the name for the host %p is %p", (host, name) => expect(cookies.cookieName(host)).toBe(name));

test("at most four values of the name are looked at, in their order", () => {
  const header =
    "a=0; mkt-session=1;mkt-session-3=x;  mkt-session=2; xmkt-session=y; mkt-session=3; mkt-session=; mkt-session=5";
  expect(cookies.cookieValues(header, "mkt-session")).toEqual(["1", "2", "3", ""]);
  expect(cookies.cookieValues(null, "mkt-session")).toEqual([]);
  const long = (length: number) => cookies.cookieValues("a=1;".padEnd(length, "x"), "a");
  expect([long(16_384), long(16_385)]).toEqual([["1"], []]);
});

test.each([
  CLAIMS,
  { ...CLAIMS, access: "control" as const },
  { ...CLAIMS, caller: null },
  { ...CLAIMS, caller: "a.B_-9".padEnd(64, "x"), since: 999_999_999_999_999 },
])("%p is read with the key that has signed it, whichever it is", (claims) => {
  const value = cookies.cookieValue(claims, KEY);
  for (const keys of [[KEY], [OTHER, KEY], [KEY, OTHER]]) {
    const asked: unknown[] = [];
    const read = cookies.readCookie(value, (of) => {
      asked.push(of);
      return keys;
    });
    expect([read, asked]).toEqual([{ claims, key: KEY }, [claims]]);
  }
  expect(cookies.readCookie(value, () => [OTHER])).toBeNull();
  expect(cookies.readCookie(value, () => [])).toBeNull();
});

test("a value that was changed or has another form is not read", () => {
  const value = cookies.cookieValue(CLAIMS, KEY);
  const others = [
    value.replace("view", "control"),
    value.replace("desk", "disk"),
    value.replace("~1000~", "~1001~"),
    value.replace(ID, "j".repeat(22)),
    value.replace(/^1/, "2"),
    value.slice(0, -1),
    `${value}x`,
    value.replace("desk", "d k"),
    "",
  ];
  expect(others.map((each) => cookies.readCookie(each, () => [KEY]))).toEqual(others.map(() => null));
});

test("what a request repeats follows from the claims and the key, and is not the signature", () => {
  const token = cookies.requestTokenOf(CLAIMS, KEY);
  expect(cookies.requestTokenOf({ ...CLAIMS }, KEY)).toBe(token);
  const others = [
    cookies.requestTokenOf(CLAIMS, OTHER),
    cookies.requestTokenOf({ ...CLAIMS, id: "j".repeat(22) }, KEY),
    cookies.requestTokenOf({ ...CLAIMS, access: "control" }, KEY),
    cookies.cookieValue(CLAIMS, KEY).slice(-43),
  ];
  expect(new Set([token, ...others]).size).toBe(5);
});

test("the header keeps scripts and other sites out, and is for TLS alone if the page is", () => {
  expect(cookies.setCookie("n", "v", 60, false)).toBe("n=v; Path=/; Max-Age=60; HttpOnly; SameSite=Strict");
  expect(cookies.setCookie("n", "", 0, true)).toBe("n=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure");
});
