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
import { runMkt } from "../../../support/executable.ts";
import { clientHere, httpServerHere } from "../../../support/in-process.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { modernCall, modernHeaders } from "../../../support/raw-request.ts";
import { post } from "../../../support/http-requests.ts";
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

/** Older clients over HTTP can't be asked, because no session links their requests. */
const canAsk = (generation: Generation, transport: Transport) => generation === "v2" || transport === "stdio";
const ASKING = COMBINATIONS.filter(([generation, transport]) => canAsk(generation, transport));

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
    const answers: ReturnType<PersonAtClient>[] = [
      { action: "decline" },
      { action: "cancel" },
      { action: "accept" },
      { action: "accept", content: { agree: false } },
    ];
    const client = await clientOf(generation, transport, () => answers.shift() ?? AGREE);
    while (answers.length > 0) {
      const refused = { status: "rejected", marketStatus: null, error: { code: "forbidden" } };
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
  const env = { ...engine.environmentFor("operator"), ...CONFIRM };
  const refused = await runMkt(["call", "mkt_halt_market", "{}"], env);
  expect(refused.exitCode).toBe(1);
  expect(await isHalted()).toBe(false);
  expect((await runMkt(["call", "mkt_halt_market", "{}"], { ...env, MKT_CONFIRM: "" })).exitCode).toBe(0);
  await until(isHalted);
});

describe("an answer that no person gave", () => {
  const YES = { confirmation: AGREE };

  /** One tool call on protocol 2026-07-28 with arbitrary further parameters. */
  async function send(params: { name?: string; arguments?: Record<string, unknown>; [field: string]: unknown }) {
    const { name = "mkt_halt_market", arguments: input = {}, ...further } = params;
    const body = modernCall(name, input, { capabilities: { elicitation: {} }, ...further });
    const response = await post(server, body, modernHeaders("tools/call", name));
    return await response.json() as {
      result?: { resultType?: string; requestState?: string; isError?: boolean; structuredContent?: unknown };
      error?: { code: number };
    };
  }

  const asked = async (input = {}) => (await send({ arguments: input })).result?.requestState ?? "";

  async function expectRefused(answer: Awaited<ReturnType<typeof send>>): Promise<void> {
    if (answer.error === undefined) {
      expect(answer.result).toMatchObject({ isError: true, structuredContent: { error: { code: "forbidden" } } });
    }
    expect(await isHalted()).toBe(false);
  }

  test("succeeds if it is sent correctly, so the refusals below are due to what is wrong in them", async () => {
    const first = await send({});
    expect(first.result?.resultType).toBe("input_required");
    expect(await isHalted()).toBe(false);
    await send({ inputResponses: YES, requestState: first.result?.requestState });
    await until(isHalted);
    const outcomes = /"tool":"mkt_halt_market".*"outcome":"asked"[^]*"tool":"mkt_halt_market".*"outcome":"ok"/;
    await until(async () => outcomes.test(await Bun.file(LOG).text()), "both calls in the log");
  });

  test("is refused on a first call", async () => {
    await expectRefused(await send({ inputResponses: YES }));
  });

  test.each<[string, (state: string) => unknown]>([
    ["made up", () => "v1.e30.AAAA"],
    ["changed", (state) => `${state.slice(0, -4)}AAAA`],
    ["cut", (state) => state.slice(0, 20)],
    ["empty", () => ""],
    ["not text", () => ({ id: 1 })],
  ])("is refused with a state that is %s", async (_name, forge) => {
    await expectRefused(await send({ inputResponses: YES, requestState: forge(await asked()) }));
  });

  test("is refused for other arguments or another tool than the person was asked about", async () => {
    await expectRefused(await send({ arguments: { reason: "b" }, inputResponses: YES, requestState: await asked() }));
    const flush = { name: "mkt_flush_all_orders", arguments: { confirm: true } };
    await expectRefused(await send({ ...flush, inputResponses: YES, requestState: await asked() }));
  });

  test("is refused if it was used before", async () => {
    const state = await asked();
    await send({ inputResponses: YES, requestState: state });
    await until(isHalted);
    await succeed(operator, "mkt_resume_market");
    await expectRefused(await send({ inputResponses: YES, requestState: state }));
  });

  test("is refused after the person declined: a question takes one answer", async () => {
    const state = await asked();
    await expectRefused(await send({ inputResponses: { confirmation: { action: "decline" } }, requestState: state }));
    await expectRefused(await send({ inputResponses: YES, requestState: state }));
  });

  const notYes = [{}, { other: AGREE }, { confirmation: true }, [], "yes", {
    confirmation: { action: "accept", content: "agree" },
  }];
  test.each(notYes.map((responses) => [responses]))("is no yes: %j", async (inputResponses) => {
    await expectRefused(await send({ inputResponses, requestState: await asked() }));
  });

  test("is refused for another user than the question named", async () => {
    const state = await asked();
    const client = await server.client();
    await succeed(client, "mkt_disconnect_pubsub");
    await succeed(client, "mkt_connect_pubsub", { userId: "anna" });
    await expectRefused(await send({ inputResponses: YES, requestState: state }));
    await succeed(client, "mkt_disconnect_pubsub");
    await succeed(client, "mkt_connect_pubsub");
  });
});
