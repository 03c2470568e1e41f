// An agent of the arena by plain HTTP. It buys or sells what its mandate asks for in equal parts, spread over the time that
// there is. Bun, Deno and Node run it; it needs no package.
//
//   mkt arena run evening-peak --seeds 1..3 --agent "bun arena-agent.ts" --out mine
//   mkt arena report mine

interface Level {
  readonly price: number;
  readonly volume: number;
}

/** Minutes of market time between two parts. */
const PAUSE = 15;

const { MKT_ARENA_MCP_URL: url, MKT_ARENA_TOKEN: token } = process.env;
if (url === undefined) throw new Error("MKT_ARENA_MCP_URL is missing: mkt arena run starts this agent");
let requests = 0;

/** One JSON-RPC request to the MCP server of the episode. It needs no session, so it can begin with any request. */
async function request(method: string, params: object) {
  const id = requests += 1;
  const response = await fetch(url!, {
    method: "POST",
    headers: {
      "authorization": `Bearer ${token}`,
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method}: status ${response.status}: ${text}`);
  // The answer is the whole body, or one of the events of a stream.
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const messages = isStream ? [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data]) => data!) : [text];
  const answer = messages.map((message) => JSON.parse(message)).find((message) => message.id === id);
  if (answer?.result === undefined) throw new Error(`${method}: ${JSON.stringify(answer?.error ?? text)}`);
  return answer.result;
}

/** Calls a tool, and returns the value that it answers. If it refuses, that says why. */
async function call(name: string, input: object = {}) {
  const { content: [{ text }], isError } = await request("tools/call", { name, arguments: input });
  if (isError) console.error(`${name}: ${text}`);
  return JSON.parse(text);
}

/** The price at which so many MW are offered: that of the last level which is needed. Undefined if nothing is offered. */
function priceOf(levels: readonly Level[], megawatts: number): number | undefined {
  let left = megawatts;
  for (const { price, volume } of levels) {
    left -= volume;
    if (left <= 0) return price;
  }
  return levels.at(-1)?.price;
}

/** Buys so many MW at once, or sells them if the number is negative. Returns how many there were, with the same sign. */
async function trade(contractId: string, megawatts: number): Promise<number> {
  const quantity = Math.abs(megawatts);
  const { bids, asks } = await call("mkt_get_order_book", { contractId });
  const price = priceOf(megawatts > 0 ? asks : bids, quantity);
  if (price === undefined) return 0;
  const side = megawatts > 0 ? "BUY" : "SELL";
  const { orderId, orderDetails } = await call("mkt_create_test_order", { contractId, side, price, quantity });
  if (orderId === null) return 0;
  const filled: number = orderDetails.filledQuantity;
  if (filled < quantity) await call("mkt_cancel_order", { orderId });
  return Math.sign(megawatts) * filled;
}

const { brief, terms, contracts, minutesLeft } = await call("mkt_arena_brief");
console.log(brief);
await call("mkt_connect_pubsub");
const { position, duty } = terms ?? { position: 0, duty: null };
/** MW that are still to be bought in each contract; negative: sold. */
const missing = new Map<string, number>();
for (const { contractId } of contracts) missing.set(contractId, (duty ?? position) - position);

let left: number = minutesLeft;
while (left > 0) {
  const parts = Math.max(1, Math.floor(left / PAUSE));
  for (const [contractId, megawatts] of missing) {
    const part = Math.sign(megawatts) * Math.ceil(Math.abs(megawatts) / parts);
    if (part !== 0) missing.set(contractId, megawatts - await trade(contractId, part));
  }
  if ([...missing.values()].every((megawatts) => megawatts === 0)) break;
  // What was not offered is tried again a minute later.
  const { waitedSeconds, ended } = await call("mkt_arena_wait", { minutes: parts === 1 ? 1 : PAUSE });
  left = ended === "over" ? 0 : left - waitedSeconds / 60;
}
if (left > 0) await call("mkt_arena_submit");
const { result } = await call("mkt_arena_brief");
console.log(`result ${result} dollars`);

export {};
