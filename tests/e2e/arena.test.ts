// Episodes of the arena by the compiled executable, over stdio, with an official client.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { SMALL_SCENARIO } from "../arena/small-scenario.ts";
import { OneProcessTransport } from "../support/clients.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { BARE_ENVIRONMENT, MKT, runMkt } from "../support/executable.ts";
import { connectV2, succeed } from "../support/official-client.ts";
import { LONG, size } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const scenario = join(temporaryDirectory(), "small.json");
await Bun.write(scenario, JSON.stringify(SMALL_SCENARIO));

/** `mkt arena verify` plays again in this process what the executable has played. */
const verifyMkt = size(runMktHere, runMkt);

/** The answers to an agent that looks around, orders and waits. Its record is in the folder. */
async function play(seed: string, folder: string): Promise<unknown[]> {
  const args = ["arena", "serve", scenario, "--seed", seed, "--agent", "first", "--out", folder];
  const started = { command: MKT, args, env: BARE_ENVIRONMENT };
  const client = await connectV2(new OneProcessTransport({ ...started, stderr: "ignore" }));
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

test("mkt arena serve plays an episode over stdio, and mkt arena verify plays its record again", async () => {
  const folder = join(temporaryDirectory(), "one");
  expect(await play("7", folder)).toMatchObject([
    { minutesLeft: 30 },
    { status: "success" },
    {},
    {},
    { status: "success" },
    {},
    { count: 1 },
  ]);
  const stdout = `${folder}: small, seed 7, first: all 7 calls come out the same\n`;
  expect(await verifyMkt(["arena", "verify", folder])).toEqual({ exitCode: 0, stdout, stderr: "" });
});

test.skipIf(!LONG)("20 runs of a baseline, with 1 and 16 jobs, leave the same bytes", async () => {
  const folder = temporaryDirectory();
  const digests = new Set<string>();
  for (let run = 0; run < 20; run += 1) {
    const out = join(folder, String(run));
    const jobs = run % 2 === 0 ? "1" : "16";
    const args = ["arena", "run", scenario, "--baseline", "expert", "--seeds", "1..16", "--jobs", jobs, "--out", out];
    expect((await runMkt(args)).exitCode).toBe(0);
    const digest = new Bun.CryptoHasher("sha256");
    for (let seed = 1; seed <= 16; seed += 1) {
      for (const file of ["scenario.json", "calls.jsonl", "result.json", "tape.jsonl"]) {
        digest.update(await Bun.file(join(out, "small", String(seed), "expert", file)).bytes());
      }
    }
    digests.add(digest.digest("hex"));
  }
  expect(digests.size).toBe(1);
}, size(120_000, 600_000));
