import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { contractsAt } from "../../../engine/definition/listed-contracts.ts";
import { MemoryDisk } from "../support/memory-journal.ts";
import { BUYER, connect, OPERATOR, restingBuy, SELLER, VIEWER } from "./harness.ts";
import { copyOf, FIRST_START, modulesOf, start } from "./journalled-engine.ts";

const HOURS = 3_600_000;
const DAYS = 24;

function statusesOf(modules: ReadonlyMap<string, unknown>): Map<string, unknown> {
  return new Map(
    [...modules].filter(([path]) => path.startsWith("/CONTRACT/")).map(([path, state]) => [
      path.slice("/CONTRACT/".length),
      (state as { status: string }).status,
    ]),
  );
}

describe.each([["from the calls alone", undefined], ["from a checkpoint", 3]])(
  "a market that restarts %s",
  (_, checkpointRecords) => {
    test("after four months lists the contracts of that time, and none that would be removed by then", async () => {
      const disk = new MemoryDisk();
      const first = start(disk, { checkpointRecords });
      const month = "NORTH-MO-BASE-2026-08";
      const year = "NORTH-YR-BASE-2028";
      const [buyer, seller] = [await connect(first, BUYER), await connect(first, SELLER)];
      for (const contractId of [month, year]) {
        await buyer.request("order.submit", { ...restingBuy(contractId), quantity: 10 });
        await seller.request("order.submit", { ...restingBuy(contractId), side: 1, quantity: 4 });
      }

      const hours = 120 * DAYS;
      const second = start(copyOf(disk), { checkpointRecords, hours });
      const client = await connect(second, VIEWER);
      const statuses = statusesOf(modulesOf(client));
      const expected = contractsAt(builtInMarket(), FIRST_START + hours * HOURS).map(({ id }) => id);
      expect([...statuses].filter(([, status]) => status === "listed").map(([id]) => id).sort()).toEqual(
        expected.sort(),
      );
      // August has just been delivered. The hours and days in between were never listed.
      expect([...statuses].filter(([, status]) => status === "expired").map(([id]) => id).sort()).toEqual(
        ["NORTH", "WEST"].flatMap((node) =>
          ["MO-BASE-2026-08", "MO-PEAK-2026-08", "QU-BASE-2026-Q3"].map((period) => `${node}-${period}`)
        ),
      );
      const orders = client.states.flatMap(({ statePath, state }) =>
        statePath.startsWith("/ORDER/") ? [[state?.["contractId"], state?.["status"]]] : []
      );
      expect(orders).toEqual([[month, "cancelled"], [month, "filled"], [year, "partial"], [year, "filled"]]);

      const third = start(copyOf(disk), { checkpointRecords, hours });
      expect(statusesOf(modulesOf(await connect(third, OPERATOR)))).toEqual(statuses);
    });
  },
);
