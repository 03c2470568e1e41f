// `mkt engine --data` on a disk that gets full: a small file system in memory, which the test fills.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type RunningEngineProcess, startEngineProcess } from "../support/executable.ts";
import { LoadClient, type LoadResponse, orderIdOf } from "../support/load-client.ts";
import { BUYER, restingBuy } from "./support/built-in-market.ts";
import { canMakeSmallDisks, type SmallDisk, smallDisk } from "./support/small-disk.ts";
import { atEnd } from "../support/at-end.ts";
import { lookAt } from "./support/engine-view.ts";

const OPERATOR = "operator";
const MEGABYTES = 24;
/** More orders than fit on the disk. */
const MANY = 50_000;

const hasDisks = canMakeSmallDisks("the tests of a full disk");

function start({ path }: SmallDisk): Promise<RunningEngineProcess> {
  return startEngineProcess({ args: ["--data", join(path, "data")], env: { LOG_LEVEL: "warn" } });
}

/** An engine on a new small disk, and a buyer who has a hundred orders there. */
async function startOnSmallDisk() {
  const small = smallDisk(MEGABYTES);
  atEnd(() => small.remove());
  const engine = await start(small);
  const buyer = new Buyer();
  await buyer.connect(engine);
  for (let count = 0; count < 100; count++) expect((await buyer.buy()).status).toBe("ok");
  return { small, engine, buyer };
}

const openOrdersOf = async (engine: RunningEngineProcess) => (await lookAt(engine, OPERATOR)).openOrders;

class Buyer {
  readonly confirmed: string[] = [];
  sent = 0;
  client: LoadClient | null = null;

  async connect({ webSocketUrl }: RunningEngineProcess): Promise<void> {
    this.client = await new LoadClient(webSocketUrl, BUYER).welcomed();
  }

  async buy(operationId = String(++this.sent)): Promise<LoadResponse> {
    const response = await this.client?.request("order.submit", restingBuy(), operationId);
    if (!response) throw new Error(`${operationId}: not answered`);
    if (response.status === "ok") this.confirmed.push(orderIdOf(response));
    return response;
  }

  /** Submits orders until one has this status. */
  async buyUntil(status: "ok" | "rejected"): Promise<LoadResponse> {
    for (let count = 0; count < MANY; count++) {
      const response = await this.buy();
      if (response.status === status) return response;
      if (status === "ok") await Bun.sleep(100);
    }
    throw new Error(`no order was ${status}`);
  }
}

describe.skipIf(!hasDisks)("mkt engine --data on a disk that gets full", () => {
  test(
    "refuses changes, also after a restart, still serves reads, accepts changes when there is space, and loses nothing",
    async () => {
      const { small, engine, buyer } = await startOnSmallDisk();
      small.fill();
      expect(await buyer.buyUntil("rejected")).toMatchObject({ status: "rejected", code: "storage_full" });
      expect(engine.stderr()).toContain("is full: changes are refused until there is free space");
      expect(await (await fetch(`${engine.url}/metrics`)).text()).toContain("\nmkt_engine_storage_full 1\n");

      const before = buyer.confirmed.length;
      for (let count = 0; count < 100; count++) expect(await buyer.buy()).toMatchObject({ code: "storage_full" });
      const repeated = await buyer.client?.request("order.submit", restingBuy(), "1");
      expect(repeated).toMatchObject({ status: "ok", result: { order: { id: buyer.confirmed[0] } } });
      expect(await openOrdersOf(engine)).toHaveLength(before);
      for (let count = 0; count < 20; count++) (await lookAt(engine, "heartland-trader-1")).client.close();
      const day = new Date().toISOString().slice(0, 10);
      const address = `${engine.url}/api/admin/audit?from=${day}&to=${day}&limit=50`;
      const audit = await fetch(address, { headers: { "X-Mkt-User": OPERATOR } });
      expect(audit.status).toBe(200);
      expect((await audit.json() as { events: unknown[] }).events).toHaveLength(50);

      engine.kill("SIGTERM");
      expect(await engine.exited).toBe(0);
      small.fill();
      const second = await start(small);
      expect(await openOrdersOf(second)).toHaveLength(before);
      await buyer.connect(second);
      expect(await buyer.buy()).toMatchObject({ code: "storage_full" });
      small.empty();
      await buyer.buyUntil("ok");
      expect(second.stderr()).toContain("has free space again: changes are accepted");
      for (let count = 0; count < 100; count++) expect((await buyer.buy()).status).toBe("ok");

      small.fill();
      await buyer.buyUntil("rejected");
      await second.crash();
      small.fill();
      const third = await start(small);
      expect((await openOrdersOf(third)).toSorted()).toEqual(buyer.confirmed.toSorted());
      await buyer.connect(third);
      expect(await buyer.buy()).toMatchObject({ code: "storage_full" });
      small.empty();
      await buyer.buyUntil("ok");
      expect(await third.stop()).toBe(0);
    },
  );
});
