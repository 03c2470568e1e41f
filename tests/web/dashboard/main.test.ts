// The page as the browser starts it: who has access follows the market, and nobody else does.

import { expect, test } from "bun:test";
import type { SessionState } from "../../../web/contract/session.ts";
import { settle } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { SESSION } from "../support/market.ts";

const { answers, session } = await openDashboard();
const opened: string[] = [];
let open = 0;

class Stream {
  constructor(path: string) {
    opened.push(path);
    open += 1;
  }
  close(): void {
    open -= 1;
  }
}

test("the market is followed from the sign-in on, whatever the access is, and no longer after it has ended", async () => {
  Object.defineProperty(globalThis, "EventSource", { value: Stream, configurable: true });
  const given = (access: SessionState["access"]): SessionState => ({ ...SESSION, access });
  answers["GET /dashboard/session"] = given(null);
  session.value = null;
  await settle(() => void import("../../../web/dashboard/main.tsx"));
  const seen = [[opened.length, open]];
  for (const access of ["view", "control", null, "control", null] as const) {
    await settle(() => void (session.value = given(access)));
    seen.push([opened.length, open]);
  }
  // Another session is another worker, with a stream of its own.
  for (const requestToken of ["token", "of the next"]) {
    await settle(() => void (session.value = { ...given("view"), requestToken }));
    seen.push([opened.length, open]);
  }
  await settle(() => void (session.value = null));
  seen.push([opened.length, open]);
  Reflect.deleteProperty(globalThis, "EventSource");
  Reflect.deleteProperty(globalThis, "mktDashboard");
  expect(session.value).toBeNull();
  expect(seen).toEqual([[0, 0], [1, 1], [1, 1], [1, 0], [2, 1], [2, 0], [3, 1], [4, 1], [4, 0]]);
});
