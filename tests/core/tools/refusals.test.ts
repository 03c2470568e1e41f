import { describe, expect, test } from "bun:test";
import { foreignCursor } from "../../../common/audit/audit-search.ts";
import { tableFailure } from "../../../common/audit/azure/table-connection.ts";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import { BackendHttp } from "../../../core/backend/backend-http.ts";
import * as errors from "../../../core/backend/connection-errors.ts";
import { Snapshot } from "../../../core/market/snapshot.ts";
import { MODULE_TYPES } from "../../../protocol/modules/registry.ts";
import { REFUSAL_CODES, REJECTION_CODES, SIMULATION_CONFLICT_CODES } from "../../../protocol/index.ts";
import { parseArguments } from "../../../core/dispatch/arguments.ts";
import { ToolError } from "../../../core/error.ts";
import { engineOf, marketOf, unknownModule } from "../../../plugins/toolkit/lookup.ts";
import { failureOfOutcome } from "../../../plugins/toolkit/mutation-failure.ts";
import { TOOLS } from "../../plugins/support/packs.ts";

const ENGINE = { url: "ws://e/ws", userId: "anna" };

/** The error of a call that must be refused. */
function refusalOf(act: () => unknown): ToolError {
  try {
    act();
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

function expectHelpful({ code, message, hint }: { code: string; message: string; hint: string }, value = ""): void {
  expect(code).toMatch(/^[a-z_]+$/);
  expect(message).toMatch(/^.{10,}$/s);
  expect(message).toContain(value);
  expect(hint).toMatch(/^(mkt_|[A-Z]).{10,}\.$/s);
}

describe("a refusal says what happened, and what to do next", () => {
  test.each([...REJECTION_CODES, ...SIMULATION_CONFLICT_CODES, "an_engine's_own"])("of the backend: %s", (code) => {
    const outcome = { kind: "rejected", operationId: "o", code, message: "The market says no." } as const;
    const { error, reason } = failureOfOutcome(outcome, [], () => "Look.");
    expectHelpful(error, code === "operation_conflict" ? '"o"' : "The market says no.");
    expect(reason).toBe(code);
  });

  test.each([...REFUSAL_CODES, "wrong_user", "an_engine's_own"])("of a connection: %s", (code) => {
    const error = errors.connectionError(
      { kind: "refused", code, message: "The engine says no." },
      ENGINE,
      NEUTRAL_ADVICE,
    );
    expectHelpful(error, "ws://e/ws");
  });

  test("of a connection that is lost or can't be read", () => {
    for (const kind of ["lost", "unreadable"] as const) {
      expectHelpful(errors.connectionError({ kind, reason: "the reason" }, ENGINE, NEUTRAL_ADVICE), "the reason");
    }
    expectHelpful(errors.alreadyConnected("anna", NEUTRAL_ADVICE), "anna");
    expectHelpful(errors.userNotAllowed("anna", ["alice", "bob"]), "anna");
    expectHelpful(errors.disconnectedMeanwhile(NEUTRAL_ADVICE));
  });

  test.each([400, 401, 403, 404, 413, 429, 500, 503])("of the backend over HTTP: %p", async (status) => {
    const body = { error: { code: "why", message: "The reason is this." } };
    await using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json(body, { status }) });
    const baseUrl = `http://127.0.0.1:${server.port}`;
    const http = new BackendHttp({ baseUrl, token: null, actingUserId: () => "anna" });
    const refused = await http.ask({ method: "GET", path: "/x" }).then(
      (answer) => refusalOf(() => http.read(answer, TOOLS[0]!.output)),
      (error: ToolError) => error,
    );
    expectHelpful(refused, "The reason is this.");
  });

  const storage = { endpoint: "https://e", accountName: "a", accountKey: "k" };
  const failures: [string, Error][] = [
    ...[401, 403, 404, 409, 429, 500].map((statusCode): [string, Error] => [
      String(statusCode),
      Object.assign(new Error("no"), { statusCode }),
    ]),
    ["no answer", new Error("ECONNREFUSED")],
    ["a time-out", Object.assign(new Error("late"), { name: "TimeoutError" })],
    ["no credential", Object.assign(new Error("none"), { name: "CredentialUnavailableError" })],
  ];

  test.each(failures)("of table storage: %s", (_what, failure) => {
    for (const accountKey of ["k", null]) expectHelpful(tableFailure(failure, { ...storage, accountKey }, 5_000));
  });

  test.each([...MODULE_TYPES])("of a missing %s", (type) => {
    expectHelpful(unknownModule(type, "nope"), '"nope"');
  });

  test("without an engine id: the engine of the first listed contract", () => {
    const snapshot = new Snapshot();
    for (const [id, status] of [["OLD", "expired"], ["NEW", "listed"]] as const) {
      const time = "2026-01-14T13:00:00.000Z";
      snapshot.apply({ statePath: `/CONTRACT/${id}`, state: { id, engineId: `ENG-${id}`, status } }, time);
      snapshot.apply({ statePath: `/ENGINE/ENG-${id}`, state: { id: `ENG-${id}`, contractId: id } }, time);
    }
    expect(engineOf(snapshot, {}).id).toBe("ENG-NEW");
  });

  test("of a market or an engine if there is none, and of an invalid cursor", () => {
    const snapshot = new Snapshot();
    expectHelpful(refusalOf(() => marketOf(snapshot, undefined)), "MARKET");
    expectHelpful(refusalOf(() => engineOf(snapshot, {})), "ENGINE");
    expectHelpful(foreignCursor("elsewhere"), '"elsewhere"');
  });
});

describe("invalid arguments are refused with field and value", () => {
  const tool = (name: string) => TOOLS.find((candidate) => candidate.name === name) ?? expect.unreachable();
  const unfit: [string, Record<string, unknown>, string, string][] = [
    ["mkt_list_orders", { limit: 1001 }, "limit", "must be at most 1000, not 1001"],
    ["mkt_list_orders", { limit: 1001.5 }, "limit", "must be a whole number, not 1001.5"],
    [
      "mkt_list_orders",
      { status: "wroking" },
      "status",
      'there is no "wroking" (did you mean working?); give one of working,',
    ],
    ["mkt_get_order", { orderId: 7 }, "orderId", "must be a text, not 7"],
    ["mkt_sim_start", { personas: [{ strategy: "zic", count: -7 }] }, "personas.0.count", "must be at least 1, not -7"],
    ["mkt_set_credit_limit", { marginPercent: 100.5 }, "marginPercent", "must be at most 100, not 100.5"],
    ["mkt_flush_all_orders", { confirm: "yes" }, "confirm", 'must be true or false, not "yes"'],
    ["mkt_create_test_order", { price: 1.5 }, "price", "must be whole cents per MWh, such as 4500, not 1.5"],
    ["mkt_create_test_order", { price: "45" }, "price", 'must be whole cents per MWh, such as 4500, not the text "45"'],
    ["mkt_create_test_order", { quantity: 0 }, "quantity", "must be above 0, not 0"],
    [
      "mkt_sim_trigger_event",
      { type: "heatwave" },
      "type",
      'no "heatwave" (did you mean heat_wave?); give one of heat_wave,',
    ],
    ["mkt_find_modules", { moduleType: "ORDR" }, "moduleType", 'there is no "ORDR" (did you mean ORDER?); give one of'],
  ];

  test.each(unfit)("%s with %p", (name, input, field, value) => {
    const refused = refusalOf(() => parseArguments(tool(name), input));
    expectHelpful(refused, field);
    expect(refused.message).toContain(value);
    expect(refused.hint).toContain(field);
  });

  test("a missing argument shows no value, and a long text only its beginning", () => {
    expect(refusalOf(() => parseArguments(tool("mkt_get_order"), {})).message).not.toContain(", not ");
    const { message } = refusalOf(() => parseArguments(tool("mkt_get_order"), { orderId: "x".repeat(5_000) }));
    expect(message).toContain('not "xxx');
    expect(message.length).toBeLessThan(300);
  });
});
