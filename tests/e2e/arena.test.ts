// Episodes of the arena by the compiled executable, over stdio, with an official client.

import { expect, test } from "bun:test";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { join } from "node:path";
import eveningPeak from "../../arena/scenario/built-in/evening-peak.json" with { type: "json" };
import { BARE_ENVIRONMENT, MKT } from "../support/executable.ts";
import { connectV2, succeed } from "../support/official-client.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const scenario = join(temporaryDirectory(), "small.json");
await Bun.write(scenario, JSON.stringify({ ...eveningPeak, preset: "thin", warmUpMinutes: 30, minutes: 60 }));

/** The answers to an agent that looks around, orders and waits. */
async function play(seed: string): Promise<unknown[]> {
  const started = { command: MKT, args: ["arena", "serve", scenario, "--seed", seed], env: BARE_ENVIRONMENT };
  const client = await connectV2(new StdioClientTransport({ ...started, stderr: "ignore" }));
  const answers: Record<string, unknown>[] = [];
  const ask = async (name: string, input = {}) => {
    const answer = await succeed(client, name, input);
    answers.push(answer);
    return answer;
  };
  expect((await client.listTools()).map(({ name }) => name)).toContain("mkt_arena_wait");
  await ask("mkt_arena_brief");
  await ask("mkt_connect_pubsub");
  const { ids: [contractId] } = await ask("mkt_find_modules", {
    moduleType: "CONTRACT",
    filters: { productCode: "NORTH-DA-PEAK", bestAsk: { operator: "gt", value: 0 } },
    limit: 1,
  }) as { ids: string[] };
  const book = await ask("mkt_get_order_book", { contractId });
  const [best] = book["asks"] as { price: number }[];
  await ask("mkt_create_test_order", { contractId, side: "BUY", price: best!.price, quantity: 1 });
  await ask("mkt_arena_wait", { minutes: 20 });
  await ask("mkt_list_orders");
  await client.close();
  return answers;
}

test("mkt arena serve gives the same answers to the same calls, and others for another seed", async () => {
  const first = await play("7");
  expect(first).toMatchObject([{ minutesLeft: 60 }, { status: "success" }, {}, {}, { status: "success" }, {}, {
    count: 1,
  }]);
  expect(await play("7")).toEqual(first);
  expect(await play("8")).not.toEqual(first);
});
