// MKT_CONFIRM=elicit: a person confirms what can't be undone, with both official clients over both transports. Nobody else
// can answer for the person.

import { beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  COMBINATIONS,
  failure,
  type Generation,
  type PersonAtClient,
  succeed,
  type TestClient,
  type Transport,
} from "../../../support/official-client.ts";
import { runMktHere } from "../../../support/command-line-here.ts";
import { clientHere, httpServerHere } from "../../../support/in-process.ts";
import { ASKING } from "./answering-client.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { postCall } from "../../../support/http-requests.ts";
import { NORTH, startPowerMarket } from "../../../support/power-market.ts";
import { until } from "../../../support/until.ts";

const CONFIRM = { MKT_CONFIRM: "elicit" };
const AGREE: ReturnType<PersonAtClient> = { action: "accept", content: { agree: true } };

const LOG = join(temporaryDirectory(), "calls");
const engine = await startPowerMarket();
const server = await httpServerHere({
  ...engine.environmentFor("operator"),
  ...CONFIRM,
  MKT_AUTO_CONNECT: "1",
  MKT_CALL_LOG: LOG,
});
/** A client without MKT_CONFIRM. */
const operator = await engine.trader("operator");

beforeEach(async () => {
  await succeed(operator, "mkt_resume_market");
});

/** The operator has a connection of its own and sees a halt a moment later than the caller. */
const isHalted = async () => (await succeed(operator, "mkt_get_market_state"))["halted"];

async function clientOf(generation: Generation, transport: Transport, person?: PersonAtClient): Promise<TestClient> {
  const client = transport === "http"
    ? await server.client({ generation, person })
    : await clientHere({ ...engine.environmentFor("operator"), ...CONFIRM }, { generation, person });
  await succeed(client, "mkt_connect_pubsub");
  return client;
}

describe.each(ASKING)("the official client %s over %s", (generation, transport) => {
  async function agreeingClient() {
    const questions: string[] = [];
    const client = await clientOf(generation, transport, (question) => {
      questions.push(question);
      return AGREE;
    });
    return { client, questions };
  }

  test("asks the person in the server's words, and halts once the person agrees", async () => {
    const { client, questions } = await agreeingClient();
    const reason = "the person said\nyes already\u202e";
    expect(await succeed(client, "mkt_halt_market", { reason })).toMatchObject({ marketStatus: "halted" });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toStartWith("Halt market ");
    expect(questions[0]).toContain("acting as operator");
    expect(questions[0]).not.toMatch(/[\n\u202e]/);
  });

  test("changes nothing if the person answers anything else", async () => {
    const disagreeing = { action: "accept", content: { agree: false } } as const;
    const answers = [{ action: "decline" }, { action: "cancel" }, { action: "accept" }, disagreeing] as const;
    let given = 0;
    const client = await clientOf(generation, transport, () => answers[given++] ?? AGREE);
    const refused = { status: "rejected", marketStatus: null, error: { code: "forbidden" } };
    while (given < answers.length) {
      expect(await failure(client, "mkt_halt_market")).toMatchObject(refused);
      expect(await isHalted()).toBe(false);
    }
  });

  test("asks for each flush, but not for a preview", async () => {
    const { client, questions } = await agreeingClient();
    await succeed(client, "mkt_flush_order_book", { contractId: NORTH });
    await succeed(client, "mkt_flush_all_orders");
    expect(questions).toEqual([]);
    await succeed(client, "mkt_flush_order_book", { contractId: NORTH, confirm: true });
    await succeed(client, "mkt_flush_all_orders", { confirm: true });
    expect(questions.map((question) => question.split("?")[0])).toEqual([
      expect.stringContaining(`Cancel every open order of contract ${NORTH}`),
      expect.stringContaining("Cancel every open order of every book"),
    ]);
  });
});

describe.each(COMBINATIONS)("the official client %s over %s that can't ask", (generation, transport) => {
  test("is refused, and the refusal names no command that bypasses the person", async () => {
    const client = await clientOf(generation, transport);
    const { isError, text } = await client.call("mkt_halt_market", { reason: "why" });
    expect(isError).toBe(true);
    expect(text).toContain("forbidden");
    expect(text).toContain("elicitation");
    expect(text).not.toMatch(/mkt call|MKT_CONFIRM=(?!elicit)/);
    expect(await isHalted()).toBe(false);
  });
});

test("an older client over HTTP is refused although it supports elicitation, because no session links its requests", async () => {
  const client = await clientOf("v1", "http", () => AGREE);
  expect((await client.call("mkt_halt_market")).isError).toBe(true);
  expect(await isHalted()).toBe(false);
});

test("mkt call is refused while the variable is set", async () => {
  const halt = (env: Record<string, string>) =>
    runMktHere(["call", "mkt_halt_market", "{}"], { ...engine.environmentFor("operator"), ...env });
  expect((await halt(CONFIRM)).exitCode).toBe(1);
  expect(await isHalted()).toBe(false);
  expect((await halt({ MKT_CONFIRM: "" })).exitCode).toBe(0);
  await until(isHalted);
});

describe("an answer that no person gave", () => {
  const YES = { confirmation: AGREE };

  /** One tool call with arbitrary further parameters. */
  const send = (further: Record<string, unknown> = {}, name = "mkt_halt_market", input: Record<string, unknown> = {}) =>
    postCall(server, name, input, { capabilities: { elicitation: {} }, ...further });

  const asked = async () => (await send()).result?.requestState ?? "";

  async function expectRefused(...given: Parameters<typeof send>): Promise<void> {
    const { result, error } = await send(...given);
    if (error === undefined) {
      expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: "forbidden" } } });
    }
    expect(await isHalted()).toBe(false);
  }

  test("succeeds if it is sent correctly, so the refusals below are due to what is wrong in them", async () => {
    const { result } = await send();
    expect(result?.resultType).toBe("input_required");
    expect(await isHalted()).toBe(false);
    await send({ inputResponses: YES, requestState: result?.requestState });
    await until(isHalted);
    const outcomes = /"tool":"mkt_halt_market".*"outcome":"asked"[^]*"tool":"mkt_halt_market".*"outcome":"ok"/;
    await until(async () => outcomes.test(await Bun.file(LOG).text()), "both calls in the log");
  });

  test("is refused on a first call", async () => {
    await expectRefused({ inputResponses: YES });
  });

  test.each<[string, (state: string) => unknown]>([
    ["made up", () => "v1.e30.AAAA"],
    ["changed", (state) => `${state.slice(0, -4)}AAAA`],
    ["cut", (state) => state.slice(0, 20)],
    ["empty", () => ""],
    ["not text", () => ({ id: 1 })],
  ])("is refused with a state that is %s", async (_name, forge) => {
    await expectRefused({ inputResponses: YES, requestState: forge(await asked()) });
  });

  test("is refused for other arguments or another tool than the person was asked about", async () => {
    const answer = async () => ({ inputResponses: YES, requestState: await asked() });
    await expectRefused(await answer(), "mkt_halt_market", { reason: "b" });
    await expectRefused(await answer(), "mkt_flush_all_orders", { confirm: true });
  });

  test("is refused if it was used before", async () => {
    const answer = { inputResponses: YES, requestState: await asked() };
    await send(answer);
    await until(isHalted);
    await succeed(operator, "mkt_resume_market");
    await expectRefused(answer);
  });

  test("is refused after the person declined: a question takes one answer", async () => {
    const requestState = await asked();
    await expectRefused({ inputResponses: { confirmation: { action: "decline" } }, requestState });
    await expectRefused({ inputResponses: YES, requestState });
  });

  test.each([
    [{}],
    [{ other: AGREE }],
    [{ confirmation: true }],
    [[]],
    ["yes"],
    [{ confirmation: { action: "accept", content: "agree" } }],
  ])("is no yes: %j", async (inputResponses) => {
    await expectRefused({ inputResponses, requestState: await asked() });
  });

  test("is refused for another user than the question named", async () => {
    const requestState = await asked();
    const client = await server.client();
    await succeed(client, "mkt_disconnect_pubsub");
    await succeed(client, "mkt_connect_pubsub", { userId: "anna" });
    await expectRefused({ inputResponses: YES, requestState });
    await succeed(client, "mkt_disconnect_pubsub");
    await succeed(client, "mkt_connect_pubsub");
  });
});
