// What the page sends to its server, and what it makes of the answers: of tools, and of the session of this browser.

import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import type { SessionState } from "../../../web/contract/session.ts";
import { Refusal, settle } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { SESSION } from "../support/market.ts";

const { answers, endReason, inState, later, location, sent, session, tabs } = await openDashboard();
const { callTool, history, readTool, RequestError, send, sessionHooks } = await import(
  "../../../web/dashboard/live/server.ts"
);
const { askSession, isControl, leaveControl, newVersion, openControl, signIn, signOut } = await import(
  "../../../web/dashboard/live/session.ts"
);

const refuses = (status: number, code: string) => () => {
  throw new Refusal(status, { code, message: "No." });
};
/** The code of the refusal, or what is thrown instead. */
const failure = (request: Promise<unknown>) =>
  request.then(
    () => "no failure",
    (error: unknown) => error instanceof RequestError ? `${error.status} ${error.report.code}` : String(error),
  );
const asks = () => sent.filter(({ path, body }) => path === "/dashboard/session" && body === undefined).length;

beforeEach(() => {
  answers["GET /dashboard/session"] = SESSION;
});

describe("a request", () => {
  const { fetch } = globalThis;
  /** What one request has in its head, and the answer that it gets. */
  async function headOf(request: () => Promise<unknown>, response = Response.json({})) {
    const heads: unknown[] = [];
    globalThis.fetch = ((path: string, { method, headers, body }: RequestInit) => {
      heads.push([method, path, headers, body]);
      return Promise.resolve(response);
    }) as unknown as typeof fetch;
    const failed = await failure(request());
    globalThis.fetch = fetch;
    return [...heads, failed];
  }

  test("has a type if it has a body, and the session's token unless it is a GET", async () => {
    sessionHooks.requestToken = "secret";
    const [get] = await headOf(() => send("GET", "/a"));
    const [post] = await headOf(() => send("POST", "/b", { x: 1 }));
    const [remove] = await headOf(() => send("DELETE", "/c"));
    expect(get).toEqual(["GET", "/a", {}, undefined]);
    const [, , head, body] = post as [string, string, Record<string, string>, string];
    expect([Object.values(head).toSorted(), body]).toEqual([["application/json", "secret"], '{"x":1}']);
    expect(Object.values((remove as [string, string, object])[2])).toEqual(["secret"]);
  });

  test("is given up with its reason if it is no longer wanted, also after the session was asked for again", async () => {
    const signals: AbortSignal[] = [];
    const abort = new AbortController();
    globalThis.fetch = ((_path: string, { signal }: RequestInit) => {
      signals.push(signal!);
      return Promise.resolve(Response.json({ error: { code: "session_changed", message: "m" } }, { status: 409 }));
    }) as unknown as typeof fetch;
    const { hasChanged } = sessionHooks;
    sessionHooks.hasChanged = () => Promise.resolve();
    const failed = await failure(readTool("mkt_x", {}, abort.signal));
    sessionHooks.hasChanged = hasChanged;
    globalThis.fetch = fetch;
    abort.abort("left");
    // It is sent again once, not as often as the session changes.
    expect([failed, signals.map(({ reason }) => reason)]).toEqual(["409 session_changed", ["left", "left"]]);
  });

  test.each([
    ["a read", () => send("GET", "/a"), 20],
    ["a tool that reads", () => readTool("mkt_x", {}, new AbortController().signal), 20],
    ["a change", () => callTool("mkt_x", { arguments: {} }), 60],
    ["a change without a tool", () => send("POST", "/a", {}), 60],
    ["the session", () => signIn("view"), 20],
  ])("that has no answer in time fails in plain words: %s", async (_name, request, seconds) => {
    const limits: number[] = [];
    const end = new AbortController();
    const timeout = spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      limits.push(ms);
      return end.signal;
    });
    globalThis.fetch = ((_path: string, { signal }: RequestInit) =>
      new Promise((_, reject) => {
        signal!.addEventListener("abort", () => reject(signal!.reason));
      })) as unknown as typeof fetch;
    const failed = request().catch((error: unknown) => error);
    end.abort(new DOMException("The operation timed out.", "TimeoutError"));
    const error = await failed as InstanceType<typeof RequestError>;
    globalThis.fetch = fetch;
    timeout.mockRestore();
    const message = `The server has not answered within ${seconds} s.`;
    expect([limits, error.status, error.report]).toEqual([[seconds * 1_000], 504, {
      ...{ code: "no_answer", message, hint: "The page tries again by itself." },
    }]);
  });

  test.each([
    ["is no JSON", new Response("<html>"), "502 http"],
    ["is a proxy's page of an error", new Response("<html>", { status: 504 }), "504 http"],
    ["is JSON without a report", Response.json({ error: "x" }, { status: 500 }), "500 http"],
    ["is a report without a message", Response.json({ error: { code: "c" } }, { status: 500 }), "500 http"],
    ["is empty JSON", Response.json(null, { status: 500 }), "500 http"],
    ["is a report", Response.json({ error: { code: "c", message: "m" } }, { status: 409 }), "409 c"],
    ["is a result", Response.json({ a: 1 }), "no failure"],
  ])("whose answer %s", async (_name, response, expected) => {
    expect((await headOf(() => send("GET", "/a"), response)).at(-1)).toBe(expected);
  });

  test("without a session asks for it and fails; under a session that has changed is sent again, once", async () => {
    answers["GET /x"] = refuses(401, "no_session");
    expect([await failure(send("GET", "/x")), asks()]).toEqual(["401 no_session", 1]);
    expect(sent.map(({ path }) => path)).toEqual(["/x", "/dashboard/session"]);
    answers["GET /x"] = refuses(403, "session_changed");
    sent.length = 0;
    expect(await failure(send("GET", "/x"))).toBe("403 session_changed");
    expect(sent.map(({ path }) => path)).toEqual(["/x", "/dashboard/session", "/x"]);
    answers["GET /x"] = refuses(403, "forbidden");
    sent.length = 0;
    expect([await failure(send("GET", "/x")), sent.length]).toEqual(["403 forbidden", 1]);
  });

  test.each<[name: string, reply: object, expected: string]>([
    ["asks something back", { kind: "question", question: "Sure?" }, "403 forbidden"],
    ["fails", { kind: "result", isError: true, result: { error: { code: "timeout", message: "m" } } }, "200 timeout"],
    ["has a result", { kind: "result", isError: false, result: {} }, "no failure"],
  ])("for a tool that %s", async (_name, reply, expected) => {
    answers["mkt_x"] = reply;
    expect(await failure(readTool("mkt_x"))).toBe(expected);
  });

  test("for a history has the length of its candles", async () => {
    answers["GET /dashboard/history/A%2FB"] = {};
    await history("A/B", 3_600 as never);
    expect(sent.at(-1)!.path).toBe("/dashboard/history/A%2FB?interval=3600");
  });
});

describe("the session", () => {
  const comes = async (state: Partial<SessionState>) => {
    answers["GET /dashboard/session"] = { ...SESSION, ...state };
    await settle(() => void askSession());
  };

  test("gives its token to requests, and says whether this page may control", async () => {
    await comes({ requestToken: "other" });
    expect([sessionHooks.requestToken, isControl.value]).toEqual(["other", true]);
    await comes({ requestToken: null, access: "view" });
    expect([sessionHooks.requestToken, isControl.value]).toEqual(["none", false]);
  });

  test("of another version is told until it is the first one again", async () => {
    await comes({});
    const first = newVersion.value;
    await comes({ version: "2.0.0" });
    expect([first, newVersion.value]).toEqual([null, "2.0.0"]);
    await comes({});
    expect(newVersion.value).toBeNull();
  });

  const PAST = new Date(Date.now() - 1_000).toISOString();
  test.each<[before: Partial<SessionState> | null, after: Partial<SessionState>, reason: RegExp | null]>([
    [null, { access: "view" }, null],
    [{ access: null }, { access: "view" }, null],
    [{ access: "view" }, { access: "view" }, null],
    [{ access: "view" }, { access: "control" }, null],
    [{ access: "view" }, { access: null }, /^Your session has ended: /],
    [{ access: "view", expiresAt: PAST }, { access: null }, /^Your session has expired\.$/],
    [{ access: "control" }, { access: "view" }, /^Control has ended: /],
    [{ access: "control", expiresAt: PAST }, { access: "view" }, /^Control has expired\.$/],
    [{ access: "control", expiresAt: PAST }, { access: null }, /^Control has expired\.$/],
  ])("that was %j and is %j ended because of %p", async (before, after, reason) => {
    inState({ session: before });
    await comes(after);
    if (reason === null) expect(endReason.value).toBeNull();
    else expect(endReason.value).toMatch(reason);
  });

  test("is asked for again a second after its end, and not before it has one", async () => {
    const before = asks();
    await comes({ expiresAt: null });
    await later();
    expect(asks() - before).toBe(1);
    await comes({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    await later(3_500_000);
    expect(asks() - before).toBe(2);
    answers["GET /dashboard/session"] = { ...SESSION, expiresAt: PAST };
    await later(3_601_001);
    expect(asks() - before).toBe(3);
    await later();
    expect(asks() - before).toBe(3);
  });

  test("is asked for again once after its newest end, however often it was renewed or ended early", async () => {
    const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
    for (let time = 0; time < 3; time++) await comes({ expiresAt: inAnHour() });
    const before = asks();
    answers["GET /dashboard/session"] = SESSION;
    await later();
    expect(asks() - before).toBe(1);
    await comes({ expiresAt: inAnHour() });
    await comes({ expiresAt: null });
    const ended = asks();
    await later();
    expect(asks()).toBe(ended);
  });

  test("that lasts longer than a timer can is not asked for all the time", async () => {
    await comes({ expiresAt: new Date(Date.now() + 40 * 86_400_000).toISOString() });
    const before = asks();
    await later(2 ** 31 - 2);
    expect(asks()).toBe(before);
    answers["GET /dashboard/session"] = SESSION;
    await later(2 ** 31 - 1);
    expect(asks()).toBe(before + 1);
  });

  test("begins after a look at what another tab has done, without the reason of the last end", async () => {
    endReason.value = "old";
    answers["POST /dashboard/session"] = { ...SESSION, caller: "desk 2" };
    await settle(() => void signIn("control", "secret"));
    expect([sent.map(({ body }) => body), session.value!.caller, endReason.value]).toEqual([
      [undefined, { access: "control", token: "secret" }],
      "desk 2",
      null,
    ]);
    sent.length = 0;
    await settle(() => void signIn("view"));
    expect(sent.at(-1)!.body).toEqual({ access: "view" });
  });

  test.each([["desk", "You have signed out."], [null, null]])(
    "of %p that is ended by hand says so: %p",
    async (caller, reason) => {
      inState({ session: { caller } });
      answers["DELETE /dashboard/session"] = { ...SESSION, access: null, caller: null };
      await settle(() => void signOut());
      expect([session.value!.access, endReason.value]).toEqual([null, reason]);
    },
  );

  test("goes to control and back to looking on the same page", async () => {
    location.hash = "#/spot";
    answers["POST /dashboard/session"] = { ...SESSION, access: "view" };
    openControl();
    await settle(() => void leaveControl());
    expect([location.assigned, sent.at(-1)!.body, session.value!.access])
      .toEqual([["/control#/spot", "/#/spot"], { access: "view" }, "view"]);
  });

  test("is told to the other tabs when it begins and ends by hand, and asked for when another tab tells so", async () => {
    answers["POST /dashboard/session"] = SESSION;
    answers["DELETE /dashboard/session"] = { ...SESSION, access: null, caller: null };
    tabs.told.length = 0;
    const told: number[] = [];
    for (const step of [() => void signIn("view"), () => void signOut(), () => void askSession()]) {
      await settle(step);
      told.push(tabs.told.length);
    }
    expect(told).toEqual([1, 2, 2]);
    answers["POST /dashboard/session"] = refuses(401, "unauthorized");
    await settle(() => void signIn("view").catch(() => {}));
    answers["DELETE /dashboard/session"] = refuses(503, "unavailable");
    await settle(() => void signOut().catch(() => {}));
    expect(tabs.told).toHaveLength(2);
    answers["GET /dashboard/session"] = { ...SESSION, caller: "of another tab" };
    await settle(() => tabs.last!.onmessage());
    expect([session.value!.caller, tabs.told.length]).toEqual(["of another tab", 2]);
  });
});
