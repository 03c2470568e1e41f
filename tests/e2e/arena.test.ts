// Episodes of the arena by the compiled executable, over stdio, with an official client.

import { expect, test } from "bun:test";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { join } from "node:path";
import { SMALL_SCENARIO } from "../arena/small-scenario.ts";
import { BARE_ENVIRONMENT, MKT, runMkt } from "../support/executable.ts";
import { connectV2, succeed } from "../support/official-client.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const scenario = join(temporaryDirectory(), "small.json");
await Bun.write(scenario, JSON.stringify(SMALL_SCENARIO));

/** The answers to an agent that looks around, orders and waits. Its record is in the folder. */
async function play(seed: string, folder: string): Promise<unknown[]> {
  const args = ["arena", "serve", scenario, "--seed", seed, "--agent", "first", "--out", folder];
  const started = { command: MKT, args, env: BARE_ENVIRONMENT };
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
    filters: { productCode: "NORTH-MO-BASE", bestAsk: { operator: "gt", value: 0 } },
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

test("mkt arena serve gives the same answers to the same calls, and a record that mkt arena verify plays again", async () => {
  const folder = temporaryDirectory();
  const [one, again, other] = ["one", "again", "other"].map((name) => join(folder, name)) as [string, string, string];
  const first = await play("7", one);
  expect(first).toMatchObject([{ minutesLeft: 30 }, { status: "success" }, {}, {}, { status: "success" }, {}, {
    count: 1,
  }]);
  expect(await play("7", again)).toEqual(first);
  expect(await play("8", other)).not.toEqual(first);
  for (const file of ["scenario.json", "calls.jsonl", "result.json"]) {
    expect(await Bun.file(join(again, file)).text()).toBe(await Bun.file(join(one, file)).text());
  }
  const stdout = `${one}: small, seed 7, first: all 7 calls come out the same\n`;
  expect(await runMkt(["arena", "verify", one])).toEqual({ exitCode: 0, stdout, stderr: "" });
  const calls = join(again, "calls.jsonl");
  await Bun.write(calls, (await Bun.file(calls).text()).replace("waitedSeconds", "waitedSecond5"));
  expect(await runMkt(["arena", "verify", again])).toMatchObject({
    exitCode: 1,
    stdout: expect.stringMatching(/: call 6, mkt_arena_wait: after \d+ characters/),
  });
});
