// What each end of a connection says, with the address, the user and the setting that it is about.

import { expect, test } from "bun:test";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import * as errors from "../../../core/backend/connection-errors.ts";

const ATTEMPT = { url: "ws://e", userId: "u-1" };
const refused = (code: string, message = "No.") => ({ kind: "refused", code, message });

test.each<[object, object, string, string, string]>([
  [
    { kind: "unreadable", reason: "bad frame" },
    {},
    "backend_error",
    "is restarted: bad frame.",
    NEUTRAL_ADVICE.unreadableMessages,
  ],
  [
    { kind: "lost", reason: "closed" },
    {},
    "backend_unavailable",
    "no connection to the engine at ws://e: closed.",
    "MKT_WS_URL",
  ],
  [refused("wrong_engine", "e-2"), {}, "backend_unavailable", "has another market: e-2.", "MKT_ENGINE_ID"],
  [refused("rate_limited"), {}, "backend_unavailable", "refuses connections now (rate_limited): No.", "in a while"],
  [refused("shutting_down"), {}, "backend_unavailable", "refuses connections now (shutting_down): No.", "in a while"],
  [refused("unknown_user"), {}, "not_found", "does not know user u-1.", NEUTRAL_ADVICE.unknownUser],
  [refused("unknown_user"), { configuredUserId: "u-2" }, "not_found", "user u-1.", NEUTRAL_ADVICE.unknownUser],
  [refused("unknown_user"), { configuredUserId: "u-1" }, "not_found", "u-1 (MKT_USER_ID).", "that the engine knows"],
  [refused("unauthorized"), {}, "forbidden", "refused the connection: No.", "Set MKT_BEARER_TOKEN to"],
  [refused("unauthorized"), { tokenSetting: "T" }, "forbidden", "refused the connection: No.", "Set T to"],
  [
    refused("user_not_covered"),
    {},
    "forbidden",
    "connection: No.",
    "Set MKT_BEARER_TOKEN to a token that may act as u-1",
  ],
  [refused("user_not_covered"), { tokenSetting: "T" }, "forbidden", "connection: No.", "Set T to a token"],
  [refused("unsupported_protocol"), {}, "backend_error", "(unsupported_protocol): No.", "the protocol of this version"],
])("%j with %j is %s", (end, more, code, message, hint) => {
  const error = errors.connectionError(end as never, { ...ATTEMPT, ...more }, NEUTRAL_ADVICE);
  expect(error.code).toBe(code as never);
  expect(error.message).toContain("engine at ws://e");
  expect(error.message).toContain(message);
  expect(error.hint).toContain(hint);
});

test("a user that is not allowed is told at most ten who are", () => {
  const users = (count: number) => Array.from({ length: count }, (_, at) => `a${at}`);
  const hint = (count: number) => errors.userNotAllowed("u-9", users(count)).hint;
  expect(hint(1)).toContain("(a0)");
  expect(hint(10)).toContain("a8, a9)");
  expect(hint(12)).toContain("a9 and 2 more)");
  const error = errors.userNotAllowed("u-9", []);
  expect([error.code, error.message]).toEqual(["forbidden", expect.stringContaining("act as user u-9")]);
});

test("another user of one connection, and a disconnect meanwhile", () => {
  expect(errors.alreadyConnected("u-1", NEUTRAL_ADVICE)).toMatchObject({
    code: "already_connected",
    message: expect.stringContaining("user u-1"),
    hint: NEUTRAL_ADVICE.disconnectFirst,
  });
  expect(errors.disconnectedMeanwhile(NEUTRAL_ADVICE)).toMatchObject({
    code: "not_connected",
    hint: NEUTRAL_ADVICE.connectAgain,
  });
});
