// An agent of the arena that lets a model play: any endpoint of chat completions with tools (OpenAI and those like it), with a
// key of your own. Bun, Deno and Node run it; it needs no package.
//
//   export MODEL_URL=https://api.openai.com/v1 MODEL_KEY=... MODEL_NAME=...
//   mkt arena run evening-peak --seeds 1..3 --agent "bun arena-model-agent.ts" --name my-model --out mine

interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** What the model wrote. */
interface Reply {
  readonly role: "assistant";
  readonly content: string | null;
  readonly tool_calls?: readonly ToolCall[];
}

/** Requests to the model, at most. */
const TURNS = 100;
/** Of an answer of a tool, at most. */
const CHARACTERS = 10_000;
const TRIES = 5;
const GO_ON = "Go on with the tools. When you are done, end the episode with mkt_arena_submit.";
const SYSTEM =
  "You trade in an electricity market by tools. Market time passes only while you wait with mkt_arena_wait. " +
  "Begin with mkt_arena_brief and mkt_connect_pubsub. Nobody answers questions. " + GO_ON;

const { MKT_ARENA_MCP_URL, MKT_ARENA_TOKEN, MKT_ARENA_BRIEF, MODEL_URL, MODEL_KEY, MODEL_NAME } = process.env;
if (MKT_ARENA_MCP_URL === undefined) throw new Error("MKT_ARENA_MCP_URL is missing: mkt arena run starts this agent");
if (MODEL_URL === undefined || MODEL_NAME === undefined) throw new Error("set MODEL_URL, MODEL_NAME, and MODEL_KEY");

async function post(url: string, key: string | undefined, body: object): Promise<Response> {
  return await fetch(url, {
    method: "POST",
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
    },
    body: JSON.stringify(body),
  });
}

let requests = 0;

/** One JSON-RPC request to the MCP server of the episode. It needs no session, so it can begin with any request. */
async function request(method: string, params: object) {
  const id = requests += 1;
  const response = await post(MKT_ARENA_MCP_URL!, MKT_ARENA_TOKEN, { jsonrpc: "2.0", id, method, params });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method}: status ${response.status}: ${text}`);
  // The answer is the whole body, or one of the events of a stream.
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const messages = isStream ? [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data]) => data!) : [text];
  return messages.map((message) => JSON.parse(message)).find((message) => message.id === id);
}

/** The text that the model gets for its call. Faults are its business, too. */
async function answerTo({ function: { name, arguments: text } }: ToolCall): Promise<string> {
  let input: unknown;
  try {
    input = JSON.parse(text || "{}");
  } catch {
    return "The arguments are not JSON. Call again.";
  }
  const { result, error } = await request("tools/call", { name, arguments: input });
  return (result?.content?.[0]?.text ?? error?.message ?? "There is no answer.").slice(0, CHARACTERS);
}

/** Asks the model to go on. Tries again if it is busy. */
async function replyTo(messages: readonly object[], tools: readonly object[]): Promise<Reply> {
  for (let attempt = 1;; attempt += 1) {
    const response = await post(`${MODEL_URL}/chat/completions`, MODEL_KEY, { model: MODEL_NAME, messages, tools });
    if (response.ok) return (await response.json()).choices[0].message;
    const isBusy = response.status === 429 || response.status >= 500;
    if (!isBusy || attempt === TRIES) throw new Error(`the model: ${response.status}: ${await response.text()}`);
    const seconds = Number(response.headers.get("retry-after") ?? 2 ** attempt);
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}

const offered: readonly Record<string, unknown>[] = (await request("tools/list", {})).result.tools;
const tools = offered.map(({ name, description, inputSchema }) => {
  return { type: "function", function: { name, description, parameters: inputSchema } };
});
const messages: object[] = [{ role: "system", content: SYSTEM }, { role: "user", content: MKT_ARENA_BRIEF }];

let isOver = false;
for (let turn = 1; turn <= TURNS && !isOver; turn += 1) {
  const reply = await replyTo(messages, tools);
  messages.push(reply);
  const { content, tool_calls: calls = [] } = reply;
  if (content) console.log(content);
  if (calls.length === 0) messages.push({ role: "user", content: GO_ON });
  for (const call of calls) {
    const answer = await answerTo(call);
    console.log(`${call.function.name} ${call.function.arguments} -> ${answer.slice(0, 100)}`);
    messages.push({ role: "tool", tool_call_id: call.id, content: answer });
    isOver ||= answer.includes("The episode is over") || answer.includes('"ended":"over"');
  }
}
console.log(isOver ? "The episode is over." : `The limit of ${TURNS} turns is reached.`);

export {};
