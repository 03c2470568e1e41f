// In which order a hello is checked, and what it costs.

import { describe, expect, test } from "bun:test";
import type { EngineLimits } from "../../../../common/http/guards/engine-limits.ts";
import { checkHello, tokenRefusal } from "../../../../engine/server/connections/handshake.ts";
import { PROTOCOL_VERSION } from "../../../../protocol/index.ts";

const USER = { id: "anna", entityId: "A", permissions: new Set<string>() };
const HELLO = { kind: "hello", protocol: PROTOCOL_VERSION, userId: "anna", token: "good" };

function checking({ connections = 2, excess = null as string | null } = {}) {
  const costs: unknown[] = [];
  const options = {
    host: {
      engine: { user: (id: string) => id === "anna" || id === "bob" ? { ...USER, id } : undefined },
      subscribers: { countOf: (id: string) => id === "anna" ? connections : 3 },
    },
    tokens: {
      identify: (token?: string) =>
        token === "good"
          ? { name: "desk", userIds: ["anna", "bob", "nobody"], users: ["anna", "bob", "nobody"] }
          : null,
    },
    limits: { connectionsPerUser: 3 } as EngineLimits,
    rates: {
      of: (id: string) => ({
        takeMessage: (count: number) => (costs.push([id, count]), excess === null ? null : { message: excess }),
      }),
    },
  };
  const check = (message: unknown) => checkHello(message, options as never);
  return { check, costs, tokens: options.tokens };
}

describe("a hello", () => {
  test("costs its user as much as twenty messages, and gives the user", () => {
    const { check, costs } = checking();
    expect(check(HELLO)).toEqual({ hello: HELLO, user: USER } as never);
    expect(costs).toEqual([["anna", 20]]);
  });

  test.each<[string, unknown, string, string]>([
    ["another kind", { ...HELLO, kind: "ping" }, "invalid_message", "the first message must be a hello"],
    [
      "another protocol, whatever else is wrong",
      { kind: "hello", protocol: PROTOCOL_VERSION + 1, userId: 7 },
      "unsupported_protocol",
      `protocol version ${PROTOCOL_VERSION + 1} is not supported; this engine speaks version ${PROTOCOL_VERSION}`,
    ],
    ["a protocol that is no number", { ...HELLO, protocol: "1" }, "invalid_message", "protocol: "],
    ["a wrong field and a wrong token", { ...HELLO, userId: 7, token: "bad" }, "invalid_message", "userId: "],
    [
      "a wrong token of an unknown user",
      { ...HELLO, userId: "x", token: "bad" },
      "unauthorized",
      "the token is missing",
    ],
    [
      "a user that the token doesn't cover",
      { ...HELLO, userId: "x" },
      "user_not_covered",
      'the token "desk" may not act',
    ],
    ["an unknown user", { ...HELLO, userId: "nobody" }, "unknown_user", 'no user with id "nobody"'],
    [
      "a user with as many connections as allowed",
      { ...HELLO, userId: "bob" },
      "too_many_connections",
      'user "bob" has 3',
    ],
  ])("is refused for %s, and costs nothing then", (_, message, code, text) => {
    const { check, costs } = checking({ excess: "too often" });
    expect(check(message)).toEqual({ code, message: expect.stringContaining(text) } as never);
    expect(costs).toEqual([]);
  });

  test("is refused last for its user's rate", () => {
    const { check, costs } = checking({ excess: "too often" });
    expect(check(HELLO)).toEqual({ code: "rate_limited", message: "too often" });
    expect(costs).toHaveLength(1);
  });

  test("needs a token only if tokens are required, and one that covers its user", () => {
    const { tokens } = checking();
    const refusal = (token: string | undefined, userId: string) => tokenRefusal(tokens as never, token, userId)?.code;
    expect([refusal("good", "anna"), refusal("good", "x"), refusal(undefined, "anna"), refusal("bad", "anna")])
      .toEqual([undefined, "user_not_covered", "unauthorized", "unauthorized"]);
  });
});
