// Every kind of request has the same checks. Each row is a check; where one does not apply to a kind, its reason stands there.

import { describe, expect, test } from "bun:test";
import { pubsubThatIs } from "../../support/services.ts";
import { until } from "../../../support/until.ts";
import { type Kind, KINDS, type VariantName } from "./kinds-pack.ts";
import { ID, kindsServer, type LogLine, TOKEN } from "./kinds-server.ts";

type Server = Awaited<ReturnType<typeof kindsServer>>;

/** What a check ends in, or why it does not apply. */
type Expected = string | { readonly reason: string };

interface Check {
  readonly conditions?: Parameters<typeof kindsServer>[0];
  readonly prepare?: (server: Server) => void;
  readonly variant: VariantName;
  readonly expected: Expected;
  readonly except?: Partial<Record<Kind, Expected>>;
}

const CHANGES_NOTHING = { reason: "it can't change anything" };
const ONLY_READS = {
  resource: CHANGES_NOTHING,
  prompt: CHANGES_NOTHING,
  completion: CHANGES_NOTHING,
  subscription: CHANGES_NOTHING,
};
const NOT_OFFERED = { reason: "a tool that changes something is not offered in read-only mode" };

const withPubsub = (...given: Parameters<typeof pubsubThatIs>) => ({ conditions: { pubsub: pubsubThatIs(...given) } });
const UNCONNECTED = withPubsub("disconnected");
const RECONNECTING = withPubsub("reconnecting", ["Market.Operate"]);
const WITHOUT_PERMISSIONS = withPubsub("connected");
const FULL: Partial<Check> = {
  conditions: { environment: { MCP_MAX_REQUESTS: "1" } },
  prepare: ({ dispatcher }) => void dispatcher.running.counted(new Promise(() => {})),
};
const MODE_READ_ONLY = { conditions: { environment: { MKT_READ_ONLY: "1" } } };
const FROZEN = { conditions: { frozen: { reason: "test", since: null } } };
const ENDING: Partial<Check> = { prepare: ({ dispatcher }) => dispatcher.refuseChanges() };

const reading = { variant: "plain", expected: "ok" } as const;
const changing = (expected: string, further: Check["except"] = {}) =>
  ({ variant: "changing", expected, except: { ...ONLY_READS, ...further } }) as const;

const CHECKS: Readonly<Record<string, Check>> = {
  "no check refuses it": reading,
  "connection: there is none": { ...UNCONNECTED, variant: "read", expected: "not_connected" },
  "connection: it is being restored, and reading is enough": { ...RECONNECTING, variant: "read", expected: "ok" },
  "connection: it is being restored, and must be up": { ...RECONNECTING, variant: "write", expected: "not_connected" },
  "permission: the acting user lacks it": { ...WITHOUT_PERMISSIONS, variant: "allowed", expected: "forbidden" },
  "permission: the acting user holds it": { variant: "allowed", expected: "ok" },
  "capacity: MCP_MAX_REQUESTS calls are running": { ...FULL, variant: "plain", expected: "rate_limited" },
  "read-only mode": { ...MODE_READ_ONLY, ...changing("read_only", { tool: NOT_OFFERED }) },
  "kill switch": { ...FROZEN, ...changing("frozen") },
  "kill switch: what changes nothing goes on": { ...FROZEN, ...reading },
  "shutdown: changes are refused": { ...ENDING, ...changing("shutting_down") },
  "shutdown: what changes nothing goes on": { ...ENDING, ...reading },
  "an error of the handler that the client must know": { variant: "refused", expected: "rejected" },
};

const CASES = Object.entries(CHECKS).flatMap(([name, { except, expected }]) =>
  KINDS.flatMap((kind) => {
    const own = except?.[kind] ?? expected;
    return typeof own === "string" ? [[name, kind, own] as const] : [];
  })
);

describe("check and log", () => {
  test.each(CASES)("%s: a %s ends in %s, and so says its line in the log", async (name, kind, expected) => {
    const { conditions, prepare, variant } = CHECKS[name] ?? expect.unreachable();
    const server = await kindsServer(conditions);
    prepare?.(server);
    const answer = await server.ask(kind, variant);
    expect(answer.outcome).toBe(expected);
    // The line was written before the client had its answer.
    const userId = conditions?.pubsub?.session === null ? null : "user-1";
    expect(server.lines()).toEqual([lineOf(kind, variant, userId, expected)]);
  });
});

function lineOf(kind: Kind, variant: VariantName, userId: string | null, outcome: string): LogLine {
  return {
    time: "1970-01-01T00:00:00.000Z",
    [kind]: NAMES[kind](variant),
    caller: kind === "subscription" ? "stdio" : "default",
    userId,
    arguments: argumentsOf(kind, outcome),
    outcome,
    durationMs: expect.any(Number),
  };
}

const TEXT = `(text, ${ID.length} characters)`;
/** The checks that come before a tool's arguments are read. */
const BEFORE_ARGUMENTS = ["rate_limited", "frozen", "shutting_down"];

/** A tool's text is only kept if its schema says that it is an id, which this one does not. */
function argumentsOf(kind: Kind, outcome: string) {
  if (kind === "tool") return BEFORE_ARGUMENTS.includes(outcome) ? null : { id: TEXT };
  return kind === "completion" ? { argument: "id", value: TEXT } : { id: ID };
}

const NAMES: Readonly<Record<Kind, (variant: VariantName) => string>> = {
  tool: (variant) => `acme_${variant}`,
  prompt: (variant) => `acme_${variant}`,
  completion: (variant) => `acme_${variant}`,
  resource: (variant) => `acme://${variant}/{id}`,
  subscription: (variant) => `acme://${variant}/{id}`,
  route: (variant) => `${variant === "changing" ? "POST" : "GET"} /acme/${variant}/:id`,
};

describe.each(KINDS)("a %s", (kind) => {
  test("that fails inside is internal, with a reference and without detail", async () => {
    const server = await kindsServer();
    const { text, outcome } = await server.ask(kind, "broken");
    expect(text).toMatch(/the server's log has details/);
    expect(text).not.toContain("inside");
    expect(outcome).toMatch(/^(internal|-32603)$/);
    expect(server.lines()).toMatchObject([{ outcome: "internal" }]);
  });

  test("that is refused shows text from the market escaped, with its hint", async () => {
    const { text } = await (await kindsServer()).ask(kind, "refused");
    // A tool's text is JSON within JSON.
    expect(text).toMatch(/The market says no\\+u202e/);
    expect(text).not.toContain("\u202e");
    expect(text).toContain("Try another.");
  });

  test("is refused over HTTP without a token, from a foreign Host, and above the rate, before anything is recorded", async () => {
    const server = await kindsServer({ environment: { MCP_RATE_LIMIT: "1" } });
    const statusOf = async (headers?: Record<string, string>) =>
      (await server.send(kind, "plain", headers === undefined ? {} : { headers })).status;
    expect(await statusOf({ Authorization: "Bearer wrong" })).toBe(401);
    expect(await statusOf({ Host: "evil.example" })).toBe(403);
    expect(server.lines()).toEqual([]);
    expect(await statusOf()).toBe(200);
    expect(await statusOf()).toBe(429);
    expect(server.lines()).toHaveLength(1);
  });

  test("is counted by name and outcome, with no label that a client made up", async () => {
    const server = await kindsServer();
    await server.ask(kind, "plain");
    await server.ask(kind, "refused");
    await server.ask(kind, "unknown", { id: "made-up" });
    const text = await server.metrics.text();
    const labels = (variant: VariantName) =>
      kind === "tool" ? `tool="acme_${variant}"` : `kind="${kind}",name="${NAMES[kind](variant)}"`;
    const total = kind === "tool" ? "mkt_tool_calls_total" : "mkt_requests_total";
    expect(text).toContain(`${total}{${labels("plain")},outcome="ok"} 1`);
    expect(text).toContain(`${total}{${labels("refused")},outcome="rejected"} 1`);
    expect(text).not.toContain("made-up");
    expect(text).not.toContain("acme_unknown");
  });
});

describe("what is not offered", () => {
  test.each(
    [
      ["tool", "unknown_tool"],
      ["resource", "unknown_resource"],
      ["prompt", "unknown_prompt"],
      ["completion", "unknown_prompt"],
      ["subscription", "unknown_resource"],
    ] as const,
  )("as a %s is recorded as %s, without its name", async (kind, outcome) => {
    const server = await kindsServer();
    await server.ask(kind, "unknown");
    const caller = kind === "subscription" ? "stdio" : "default";
    expect(server.lines()).toMatchObject([{ [kind]: "(not offered)", caller, arguments: null, outcome }]);
  });

  test("as a route is not recorded, because nothing says that it was meant for a pack", async () => {
    const server = await kindsServer();
    expect((await server.ask("route", "unknown")).status).toBe(404);
    expect(server.lines()).toEqual([]);
  });
});

test.each(["tool", "resource", "prompt", "completion", "route"] as const)(
  "a %s whose client goes away ends as given up; a subscription is made at once",
  async (kind) => {
    const server = await kindsServer();
    const leave = new AbortController();
    const asked = server.ask(kind, "slow", { signal: leave.signal }).catch(() => null);
    await until(() => server.dispatcher.running.count === 1);
    leave.abort();
    await asked;
    await until(() => server.lines().length === 1);
    expect(server.lines()).toMatchObject([{ outcome: "given_up" }]);
  },
);

describe("no text of a client that could be a secret is in the log", () => {
  test.each(KINDS)("of a %s", async (kind) => {
    const server = await kindsServer();
    for (const id of ["two%20words", encodeURIComponent("a/b"), TOKEN]) await server.ask(kind, "plain", { id });
    const text = JSON.stringify(server.lines());
    expect(server.lines()).toHaveLength(3);
    for (const secret of ["two", "words", "a/b", TOKEN]) expect(text).not.toContain(secret);
  });

  test("of a prompt's argument that is no id, and of one that it does not have", async () => {
    const server = await kindsServer();
    const lines = async (given: object) => {
      await server.sendBody("prompts/get", "acme_plain", { name: "acme_plain", arguments: given });
      return server.lines().at(-1);
    };
    expect(await lines({ note: "hunter2", id: "zone-7" })).toMatchObject({
      arguments: { note: "(text, 7 characters)", id: "zone-7" },
    });
    expect(await lines({ hunter2: "x" })).toMatchObject({ arguments: null, outcome: "invalid_input" });
  });
});
