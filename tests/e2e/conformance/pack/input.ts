// What asks its client for input, in one round and in several, with and without a state. Names and keys are those of the
// conformance suites.

import type { PackFactory } from "../../../../core/packs/pack-api.ts";

const factory: PackFactory = (mkt) => {
  const { z, InputRequired, RawResult } = mkt;
  type Requests = InstanceType<typeof InputRequired>["requests"];
  type Handler = Parameters<typeof mkt.defineTool>[0]["handler"];
  type Context = Parameters<Handler>[1];

  const said = (text: string) => new RawResult({ content: [{ type: "text", text }] });
  /** A form whose fields are all texts and required, unless `properties` says more. */
  const form = (message: string, properties: object, required = Object.keys(properties)): Requests[string] => ({
    method: "elicitation/create",
    params: {
      mode: "form",
      message,
      requestedSchema: { type: "object", properties: properties as Record<string, { type: "string" }>, required },
    },
  });
  const sampling = (text: string, maxTokens: number): Requests[string] => ({
    method: "sampling/createMessage",
    params: { messages: [{ role: "user", content: { type: "text", text } }], maxTokens },
  });
  const text = { type: "string" };

  const accepted = z.object({ action: z.literal("accept"), content: z.looseObject({}) });
  /** What a person has filled in; undefined if there is no such answer. */
  const filledIn = ({ client }: Context, key: string) => accepted.safeParse(client.responses[key]).data?.content;

  const toolOf = (
    name: string,
    handler: (context: Context, input: Record<string, unknown>) => ReturnType<Handler>,
    input = {},
  ) =>
    mkt.defineTool({
      name,
      title: name,
      description: "Asks its client for input, as the suites expect.",
      input: z.strictObject(input),
      output: mkt.CONTENT,
      annotations: mkt.READ_ONLY,
      usesClient: true,
      handler: (input, context) => handler(context, input),
    });
  /** Asks once for all of `requests`, and gives the answers. */
  const askingOnce = (
    name: string,
    requests: (input: Record<string, unknown>) => Requests,
    state?: unknown,
    input = {},
  ) =>
    toolOf(name, ({ client }, input) => {
      const asked = requests(input);
      const isAnswered = Object.keys(asked).every((key) => client.responses[key] !== undefined);
      if (!isAnswered || client.state !== state) return new InputRequired({ requests: asked, state });
      return said(`Answers: ${JSON.stringify(client.responses)}${state === undefined ? "" : " (state-ok)"}`);
    }, input);

  const name = form("What is your name?", { name: text });
  const confirm = form("Please confirm", { ok: { type: "boolean" } });

  const rounds = toolOf("test_input_required_result_multi_round", (context) => {
    const { client } = context;
    const { step1 } = (client.state ?? {}) as { step1?: unknown };
    if (step1 !== undefined && filledIn(context, "step2") !== undefined) return said("All steps are done.");
    const first = filledIn(context, "step1");
    const requests: Requests = first === undefined
      ? { step1: form("Step 1: What is your name?", { name: text }) }
      : { step2: form("Step 2: What is your favorite color?", { color: text }) };
    return new InputRequired({ requests, state: first === undefined ? { step: 1 } : { step: 2, step1: first } });
  });

  const able = toolOf("test_input_required_result_capabilities", ({ client }) => {
    const { elicitation, sampling: canSample } = client.capabilities;
    if (Object.keys(client.responses).length > 0) return said("Answered.");
    const requests: Requests = {
      ...(elicitation !== undefined && { user_name: name }),
      ...(canSample !== undefined && { question: sampling("What is the capital of France?", 100) }),
    };
    return Object.keys(requests).length > 0 ? new InputRequired({ requests }) : said("The client can't be asked.");
  });

  const prompt = mkt.definePrompt({
    name: "test_input_required_result_prompt",
    title: "Prompt with input",
    description: "A prompt that asks the person for its context.",
    usesClient: true,
    messages: (_, context) => {
      const context_ = filledIn(context, "user_context");
      if (context_ !== undefined) return `Use this context: ${JSON.stringify(context_["context"])}`;
      return new InputRequired({
        requests: { user_context: form("What context should the prompt use?", { context: text }) },
      });
    },
  });

  return mkt.definePack({
    name: "conformance-input",
    description: "Input of the client.",
    tools: [
      toolOf("test_input_required_result_elicitation", (context) => {
        const answer = filledIn(context, "user_name");
        return answer === undefined
          ? new InputRequired({ requests: { user_name: name } })
          : said(`Hello, ${answer["name"]}!`);
      }),
      askingOnce("test_input_required_result_sampling", () => ({
        capital_question: sampling("What is the capital of France?", 100),
      })),
      askingOnce("test_input_required_result_list_roots", () => ({ client_roots: { method: "roots/list" } })),
      askingOnce("test_input_required_result_request_state", () => ({ confirm }), "waiting"),
      askingOnce("test_input_required_result_tampered_state", () => ({ confirm }), "waiting"),
      askingOnce("test_input_required_result_multiple_inputs", () => ({
        user_name: name,
        greeting: sampling("Generate a greeting", 50),
        client_roots: { method: "roots/list" },
      }), "waiting"),
      rounds,
      able,
      askingOnce("test_missing_capability", () => ({ question: sampling("Anything", 10) })),
      askingOnce("test_streaming_elicitation", () => ({ user_name: name })),
      askingOnce("test_sampling", ({ prompt }) => ({ answer: sampling(String(prompt), 100) }), undefined, {
        prompt: z.string().describe("What the model reads"),
      }),
      askingOnce(
        "test_elicitation",
        ({ message }) => ({
          answer: form(String(message), {
            username: { ...text, description: "User's response" },
            email: { ...text, description: "User's email address" },
          }),
        }),
        undefined,
        { message: z.string().describe("What the person reads") },
      ),
      askingOnce("test_elicitation_sep1034_defaults", () => ({
        answer: form("Please review the values", {
          name: { ...text, default: "John Doe" },
          age: { type: "integer", default: 30 },
          score: { type: "number", default: 95.5 },
          status: { ...text, enum: ["active", "inactive", "pending"], default: "active" },
          verified: { type: "boolean", default: true },
        }, []),
      })),
      askingOnce("test_elicitation_sep1330_enums", () => ({ answer: form("Please choose", CHOICES, []) })),
    ],
    prompts: [prompt],
  });
};

const OPTIONS = ["option1", "option2", "option3"];
const TITLED = [{ const: "value1", title: "First Option" }, { const: "value2", title: "Second Option" }];
const CHOICES = {
  untitledSingle: { type: "string", enum: OPTIONS },
  titledSingle: { type: "string", oneOf: TITLED },
  legacyEnum: { type: "string", enum: ["opt1", "opt2"], enumNames: ["Option One", "Option Two"] },
  untitledMulti: { type: "array", items: { type: "string", enum: OPTIONS } },
  titledMulti: { type: "array", items: { anyOf: TITLED } },
};

export default factory;
