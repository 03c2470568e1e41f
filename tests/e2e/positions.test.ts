// Positions stay the same after a flush of all fills, an orderly stop and a kill of the engine.

import { expect, test } from "bun:test";
import { clientHere } from "../support/in-process.ts";
import { connected, succeed, type TestClient } from "../support/official-client.ts";
import type { RunningEngineProcess } from "../support/executable.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { startMarket, submit, WEST } from "./support/market.ts";

type Value = Readonly<Record<string, unknown>>;

/** What both entities' positions are, without the time of the answer. */
async function positionsOf(client: TestClient): Promise<Value[]> {
  const answers: Value[] = [];
  for (const entityId of ["aurora", "borealis"]) {
    const { asOf: _, ...answer } = await succeed(client, "mkt_get_entity", { entityId, positions: true });
    answers.push(answer);
  }
  return answers;
}

/** Of a client that is not connected to the market. */
async function positionsAfterRestart(engine: RunningEngineProcess): Promise<Value[]> {
  const operator = await clientHere(engine.environmentFor("operator"));
  return await positionsOf(operator);
}

test("positions outlive a flush, a stop and a kill of the engine", async () => {
  const args = ["--data", temporaryDirectory()];
  let engine = await startMarket({ args });
  const anna = await connected(clientHere(engine.environmentFor("anna")));
  const bert = await connected(clientHere(engine.environmentFor("bert")));
  const operator = await connected(clientHere(engine.environmentFor("operator")));
  await submit(anna, "BUY", 4500, 20);
  await submit(bert, "SELL", 4500, 20);
  await submit(anna, "SELL", 4707, 7);
  await submit(bert, "BUY", 4707, 7);
  await submit(anna, "SELL", -250, 10, WEST);
  await submit(bert, "BUY", -250, 10, WEST);
  expect(await succeed(operator, "mkt_flush_all_orders", { confirm: true })).toMatchObject({ status: "success" });
  expect(await succeed(anna, "mkt_list_fills")).toMatchObject({ total: 0 });
  const before = await positionsOf(operator);
  // 20 MW bought at $45, 7 sold at $47.07, for 24 hours; 10 MW sold at -$2.50 for 16 hours.
  expect(before).toMatchObject([
    {
      id: "aurora",
      positions: [
        { netQuantity: 13, averagePrice: 4500, cash: -13_692.24, realisedProfit: 347.76, unrealisedProfit: 645.84 },
        { netQuantity: -10, averagePrice: -250, cash: -400, profit: 0 },
      ],
      totals: { netQuantity: null, netEnergy: 152, cash: -14_092.24, profit: 993.6 },
    },
    { id: "borealis", totals: { netEnergy: -152, cash: 14_092.24, profit: -993.6 } },
  ]);
  for (const end of ["stop", "crash", "crash"] as const) {
    await engine[end]();
    engine = await startMarket({ args });
    expect(await positionsAfterRestart(engine)).toEqual(before);
  }
}, 60_000);
