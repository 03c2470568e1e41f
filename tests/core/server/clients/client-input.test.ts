// Packs that ask their client for input and log to it, with both official clients over both transports, and with requests that
// no official client would send. The packs are those of the conformance suites, and one whose tool also asks for an agreement.

import { describe, expect, test } from "bun:test";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runMktHere } from "../../../support/command-line-here.ts";
import { clientHere, httpServerHere } from "../../../support/in-process.ts";
import { succeed } from "../../../support/official-client.ts";
import { legacyCall, modernCall, modernHeaders, modernMeta } from "../../../support/raw-request.ts";
import { temporaryDirectory, tokenFile } from "../../../support/temporary-directory.ts";
import { until } from "../../../support/until.ts";
import { answeringClient, ASKING } from "./answering-client.ts";
import { NO_BACKEND, post, postCall } from "../../../support/http-requests.ts";

const LOG = join(temporaryDirectory(), "calls");
const ENVIRONMENT = {
  ...NO_BACKEND,
  MKT_PLUGIN_DIR: join(import.meta.dir, "../../../e2e/conformance/pack"),
  MKT_CALL_LOG: LOG,
};
/** Once the call log has this. */
const untilLogged = (pattern: RegExp) => until(async () => pattern.test(await Bun.file(LOG).text()), `${pattern}`);

const MULTIPLE = "test_input_required_result_multiple_inputs";
const STATE = "test_input_required_result_request_state";
const LOGS = "test_tool_with_logging";

const server = await httpServerHere(ENVIRONMENT);
const options = { env: ENVIRONMENT, url: server.url };

describe.each(ASKING)("the official client %s over %s", (generation, transport) => {
  test("is asked for a form, a model's answer and its roots, and the tool gets all answers", async () => {
    const client = await answeringClient(generation, transport, options);
    const { text, isError } = await client.call(MULTIPLE);
    expect(isError).toBe(false);
    for (const part of ["my name", "A model's answer", "file:///home/anna", "state-ok"]) expect(text).toContain(part);
    expect([...client.asked].sort()).toEqual(["elicitation/create", "roots/list", "sampling/createMessage"]);
  });

  test("is asked in several rounds, and the tool's state goes with them", async () => {
    const client = await answeringClient(generation, transport, options);
    expect(await client.call("test_input_required_result_multi_round")).toMatchObject({ text: "All steps are done." });
    expect(client.asked).toEqual(["elicitation/create", "elicitation/create"]);
  });

  test("is asked by a prompt", async () => {
    const client = await answeringClient(generation, transport, options);
    expect(await client.prompt("test_input_required_result_prompt")).toBe('Use this context: "my context"');
    if (transport === "stdio") return;
    const record = '"test_input_required_result_prompt"[^\\n]*"outcome":';
    await untilLogged(new RegExp(`${record}"asked"[^]*${record}"ok"`));
  });
});

describe("a client that can't be asked", () => {
  test("over HTTP with an older protocol gets an error that says what to do", async () => {
    const client = await answeringClient("v1", "http", options);
    const { text, isError } = await client.call("test_sampling", { prompt: "Hello" });
    const message = "This call must ask its client (sampling/createMessage), and over HTTP only a client of protocol " +
      "2026-07-28 can be asked.";
    const error = { code: "forbidden", message, hint: "Use that protocol, or start mkt on stdio." };
    expect([isError, JSON.parse(text)]).toEqual([true, { error }]);
    await untilLogged(/"tool":"test_sampling".*"outcome":"forbidden"/);
    await expect(client.prompt("test_input_required_result_prompt")).rejects.toThrow("can be asked");
  });

  test("on stdio with an older protocol gets an error that names the missing capability", async () => {
    const client = await answeringClient("v1", "stdio", { ...options, capabilities: { elicitation: {} } });
    const text: unknown = expect.stringContaining("has not declared the capability sampling");
    expect(await client.call(MULTIPLE)).toEqual({ isError: true, text: text as string });
    expect(client.asked).toEqual([]);
  });

  test("on protocol 2026-07-28 gets the error of the protocol, which names the missing capability", async () => {
    const body = modernCall(MULTIPLE, {}, { capabilities: { elicitation: {} } });
    const response = await post(server, body, modernHeaders("tools/call", MULTIPLE));
    const error = { code: -32021, data: { requiredCapabilities: { sampling: {} } } };
    expect([response.status, await response.json()]).toMatchObject([400, { error }]);
  });

  test("from the shell is refused", async () => {
    const { exitCode, stdout, stderr } = await runMktHere(["call", "test_sampling", '{"prompt":"Hello"}'], ENVIRONMENT);
    expect(exitCode).toBe(1);
    expect(stdout + stderr).toContain("a shell can't be asked");
  });
});

describe("the state of a call", () => {
  const ANSWER = { confirm: { action: "accept", content: { ok: true } } };
  const capabilities = { elicitation: {}, sampling: {} };

  const stateOf = async (name = STATE) => (await postCall(server, name, {}, { capabilities })).result?.requestState;

  /** The text of the answer to a call with this state, or the code of its error. */
  async function answered(requestState: unknown, at: { readonly url: string } = server, token?: string) {
    const further = { capabilities, inputResponses: ANSWER, requestState };
    const { result, error } = await postCall(at, STATE, {}, further, token);
    return result?.content?.[0]?.text ?? error?.code;
  }

  test("is accepted, so the refusals below are due to what is wrong in them", async () => {
    expect(await answered(await stateOf())).toContain("state-ok");
    await untilLogged(new RegExp(`"tool":"${STATE}".*"outcome":"asked"[^]*"tool":"${STATE}".*"outcome":"ok"`));
  });

  test("is refused if it was used before", async () => {
    const state = await stateOf();
    await answered(state);
    expect(await answered(state)).toBe(-32602);
  });

  test.each<[string, (state: string) => unknown]>([
    ["made up", () => "v1.e30.AAAA"],
    ["changed", (state) => `${state.slice(0, -4)}AAAA`],
    ["empty", () => ""],
    ["not text", () => ({ value: "waiting" })],
  ])("is refused if it is %s", async (_name, forge) => {
    expect(await answered(forge(await stateOf() ?? ""))).toBe(-32602);
  });

  test("is refused in a call of another tool", async () => {
    expect(await answered(await stateOf("test_input_required_result_tampered_state"))).toBe(-32602);
  });

  test("is refused in a call with another token", async () => {
    const [desk, other] = ["desk-token-0123456789abcdef0123456789", "other-token-0123456789abcdef012345678"];
    const MCP_BEARER_TOKEN_FILE = tokenFile(`desk ${desk}`, `other ${other}`);
    const guarded = await httpServerHere({ ...ENVIRONMENT, MCP_BEARER_TOKEN_FILE });
    const { result } = await postCall(guarded, STATE, {}, { capabilities }, desk);
    expect(await answered(result?.requestState, guarded, other)).toBe(-32602);
    expect(await answered(result?.requestState, guarded, desk)).toContain("state-ok");
  });

  test("without it, an answer is what the client says, asked or not", async () => {
    const inputResponses = { user_name: { action: "accept", content: { name: "Alice" } } };
    const name = "test_input_required_result_elicitation";
    const { result } = await postCall(server, name, {}, { capabilities, inputResponses });
    expect(result?.content?.[0]?.text).toBe("Hello, Alice!");
  });
});

describe("a tool that asks for input and under MKT_CONFIRM for an agreement", () => {
  const pack = temporaryDirectory();
  writeFileSync(
    join(pack, "acme.ts"),
    `export default (mkt) => mkt.definePack({ name: "acme", description: "d",
      tools: [mkt.defineTool({ name: "acme_close", title: "t", description: "d", input: mkt.z.strictObject({}),
        output: mkt.CONTENT, annotations: { ...mkt.READ_ONLY, readOnlyHint: false }, usesClient: true,
        question: () => "Close the desk?",
        handler: (_, { client }) => {
          const given = client.responses.reason?.content?.reason;
          if (given === undefined) return new mkt.InputRequired({ state: {}, requests: { reason: {
            method: "elicitation/create", params: { mode: "form", message: "Why?",
              requestedSchema: { type: "object", properties: { reason: { type: "string" } }, required: ["reason"] } } } } });
          return new mkt.RawResult({ content: [{ type: "text", text: JSON.stringify({ closed: given }) }] });
        } })] })`,
  );
  const env = { ...NO_BACKEND, MKT_PLUGIN_DIR: pack, MKT_CONFIRM: "elicit" };

  test.each(ASKING)("asks the client %s over %s once for each, and then runs", async (generation, transport) => {
    const questions: string[] = [];
    const person = (question: string) => {
      questions.push(question);
      const content: Record<string, boolean | string> = question === "Why?" ? { reason: "night" } : { agree: true };
      return { action: "accept" as const, content };
    };
    const client = transport === "http"
      ? await (await httpServerHere(env)).client({ generation, person })
      : await clientHere(env, { generation, person });
    expect(await succeed(client, "acme_close")).toEqual({ closed: "night" });
    expect(questions).toEqual([expect.stringContaining("Close the desk?"), "Why?"]);
  });
});

test("the sample of the documentation gives what the person has filled in", async () => {
  const pack = temporaryDirectory();
  copyFileSync(join(import.meta.dir, "../../../../docs/examples/ask-desk.ts"), join(pack, "ask-desk.ts"));
  const env = { ...NO_BACKEND, MKT_PLUGIN_DIR: pack };
  const person = () => ({ action: "accept" as const, content: { price: 4250 } });
  const client = await clientHere(env, { generation: "v1", person });
  const contract = { contractId: "c1" };
  expect(await succeed(client, "acme_expected_price", contract)).toEqual({ ...contract, price: 4250 });
  const declining = await clientHere(env, { person: () => ({ action: "decline" }) });
  expect(await succeed(declining, "acme_expected_price", contract)).toEqual({ ...contract, price: null });
});

describe("log messages to the client", () => {
  const MESSAGES = ["Tool execution started", "Tool processing data", "Tool execution completed"];

  test("are announced only if a pack sends them", async () => {
    expect((await answeringClient("v1", "stdio", options)).capabilities).toHaveProperty("logging");
    const plain = await answeringClient("v1", "stdio", { ...options, env: NO_BACKEND });
    expect(plain.capabilities).not.toHaveProperty("logging");
  });

  test("come to an older client on stdio from its level on", async () => {
    const client = await answeringClient("v1", "stdio", options);
    await client.setLevel("error");
    await client.call(LOGS);
    expect(client.logged).toEqual([]);
    await client.setLevel("debug");
    await client.call(LOGS);
    expect(client.logged).toEqual(MESSAGES);
  });

  test("come to an older client over HTTP during the call, whatever level it has set before", async () => {
    const client = await answeringClient("v1", "http", options);
    await client.setLevel("error");
    await client.call(LOGS);
    expect(client.logged).toEqual(MESSAGES);
  });

  test.each([["info", 3], ["error", 0], [undefined, 0]])(
    "come to a client of protocol 2026-07-28 that asks for level %p in its request: %d",
    async (level, count) => {
      const meta = { ...modernMeta(), ...(level !== undefined && { "io.modelcontextprotocol/logLevel": level }) };
      const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: LOGS, arguments: {}, _meta: meta } };
      const text = await (await post(server, body, modernHeaders("tools/call", LOGS))).text();
      expect(text.split('"notifications/message"')).toHaveLength(count + 1);
      expect(text).toContain("Done.");
    },
  );

  test("are left out for a client that reads no stream", async () => {
    const response = await post(server, legacyCall(1, LOGS), { Accept: "application/json" });
    expect(await response.json()).toMatchObject({ result: { content: [{ text: "Done." }] } });
  });
});
