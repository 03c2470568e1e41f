// What the progress of long changes says, to the official clients. Engine and simulator are scripted:
// they answer once the client has the first step.

import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ScriptedSimulator, STATUS } from "../../../plugins/support/scripted-simulator.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { followed, waited } from "./followed-call.ts";
import { called, KINDS, nameOf, serverFor } from "./followed-client.ts";
import { startSilentEngine } from "../../../support/silent-engine.ts";

const ON_STDIO = { generation: "v2", transport: "stdio", era: "modern" } as const;

describe("an engine that takes long", () => {
  /** A client of an engine that holds its response to `held` until `onFirst` is called. */
  async function holding(held: (payload: object) => boolean, result: Record<string, unknown>) {
    const first = Promise.withResolvers<void>();
    const engine = startSilentEngine(({ payload }) =>
      held(payload as object) ? first.promise.then(() => result) : result
    );
    const freezeFile = join(temporaryDirectory(), "frozen");
    const env = { ...engine.environmentFor("anna"), STRESS_TEST_SECRET: "secret", MKT_FREEZE_FILE: freezeFile };
    const client = await (await serverFor(ON_STDIO, env))();
    await called(client, "mkt_connect_pubsub");
    return { client, onFirst: first.resolve, freezeFile, requests: engine.requests };
  }

  test.each([
    ["mkt_flush_all_orders", {}, "Cancels 3 open orders"],
    ["mkt_flush_order_book", { contractId: "c" }, "Cancels 3 open orders of contract c"],
  ])("%s says how many orders it cancels", async (name, input, what) => {
    const result = { engineId: "e", contractId: "c", ordersAffected: 3 };
    const { client, onFirst } = await holding((payload) => Reflect.get(payload, "preview") === false, result);
    const { value, steps } = await followed(client, name, { ...input, confirm: true }, onFirst);
    expect(value).toMatchObject({ status: "success", ordersAffected: 3 });
    expect(steps[0]).toEqual(waited(`${what}, waits for the market's confirmation`, 15));
  });

  test("a flush does not cancel anything if the server is frozen while it counts the orders", async () => {
    const { client, onFirst, freezeFile, requests } = await holding(() => true, { ordersAffected: 3 });
    const { value } = await followed(client, "mkt_flush_all_orders", { confirm: true }, () => {
      writeFileSync(freezeFile, "drill");
      onFirst();
    });
    expect(value).toMatchObject({ status: "rejected", ordersAffected: null, error: { code: "frozen" } });
    expect(requests).toMatchObject([{ payload: { preview: true } }]);
  });

  test("mkt_dev_reset_credit_and_docs says what it sets", async () => {
    const summary = { entities: 3, pairs: 6, creditUpdates: 6, docsUpdates: 6 };
    const { client, onFirst } = await holding(() => true, { summary, errors: [] });
    const { value, steps } = await followed(client, "mkt_dev_reset_credit_and_docs", { creditLimit: 1 }, onFirst);
    expect(value).toMatchObject({ status: "success", summary });
    expect(steps[0]?.message).toMatch(/^Sets credit and documents between all entities, waits for /);
  });
});

describe.each([
  ["mkt_sim_start", "starting", { progress: 2, total: 3, message: "2 of 3 personas are connected." }],
  ["mkt_sim_stop", "stopping", { progress: 1, total: 3, message: "1 of 3 personas are disconnected." }],
])("%s says how many personas are done", (name, status, step) => {
  test.each(KINDS.map((kind) => [nameOf(kind), kind] as const))("to client %s", async (_name, kind) => {
    const first = Promise.withResolvers<void>();
    const simulator = new ScriptedSimulator();
    simulator.replies(async (line) => {
      if (line.startsWith("GET")) {
        return Response.json({ ...STATUS, status, totals: { ...STATUS.totals, connected: 2 } });
      }
      await first.promise;
      return Response.json({ ...STATUS, changed: true, ordersCancelled: 0, personasDisconnected: 3 });
    });
    const nowhere = { MKT_HOST: "127.0.0.1:1", MKT_USER_ID: "anna" };
    const client = await (await serverFor(kind, { ...nowhere, MKT_SIM_URL: simulator.url }))();
    const { value, steps } = await followed(client, name, {}, first.resolve);
    expect(value).toMatchObject({ status: "success", changed: true });
    expect(steps).toEqual([step]);
  });
});
