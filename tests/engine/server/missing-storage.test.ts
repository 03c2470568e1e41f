// An engine whose data files are deleted or moved while it runs.

import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "../../../common/logger.ts";
import { restoreBackup } from "../../../engine/backup/restore.ts";
import { stateFilesIn } from "../support/checkpoints.ts";
import type { RunningEngine } from "../../../engine/server/start-engine.ts";
import { ACTING_USER_HEADER, healthResponse, PATHS, type ResponseMessage } from "../../../protocol/index.ts";
import { lookAt } from "../../e2e/support/engine-view.ts";
import { startTestEngine } from "../../support/engines.ts";
import { parseMetrics, valueIn } from "../../support/metrics-text.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { until } from "../../support/until.ts";
import { BUYER, connect, OPERATOR, restingBuy, type TestClient } from "./harness.ts";

let data: string;
let [aside, lines]: [string, string[]] = ["", []];
beforeEach(() => {
  const folder = temporaryDirectory();
  [data, aside, lines] = [join(folder, "data"), join(folder, "aside"), []];
});

const note = (text: string, facts: Record<string, unknown> = {}) =>
  void lines.push(text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(facts[name])));
const log = { debug: () => {}, info: () => {}, warn: note, error: note } as unknown as Logger;

/** What an engine left that has stopped: its market is in a checkpoint. */
const left = join(temporaryDirectory(), "data");
const confirmedBefore: string[] = [];
beforeAll(async () => {
  const first = await startTestEngine({ data: left });
  await orders(await connect(first, BUYER), 3, confirmedBefore);
  await first.stop();
});

/** An engine whose market is in a checkpoint and in calls after it. */
async function startedAgain(): Promise<{ engine: RunningEngine; client: TestClient; confirmed: string[] }> {
  cpSync(left, data, { recursive: true });
  const confirmed = [...confirmedBefore];
  const engine = await startTestEngine({ data, log });
  const client = await connect(engine, BUYER);
  await orders(client, 3, confirmed);
  return { engine, client, confirmed };
}

async function order(client: TestClient, confirmed: string[]): Promise<ResponseMessage> {
  const contract = client.states.findLast(({ statePath }) => statePath.startsWith("/CONTRACT/"));
  const response = await client.request("order.submit", restingBuy(contract?.state?.id ?? ""));
  const { id } = response.result?.["order"] as { id: string } | undefined ?? {};
  if (response.status === "ok") confirmed.push(id ?? "");
  return response;
}

async function orders(client: TestClient, count: number, confirmed: string[]): Promise<void> {
  for (let number = 0; number < count; number++) expect((await order(client, confirmed)).status).toBe("ok");
}

const refusalOf = async ({ url }: RunningEngine) =>
  healthResponse.parse(await (await fetch(`${url}${PATHS.health}`)).json()).refusal;

async function metric({ url }: RunningEngine, name: string): Promise<number> {
  const response = await fetch(`${url}${PATHS.metrics}`);
  expect(response.status).toBe(200);
  return valueIn(parseMetrics(await response.text()), `mkt_engine_${name}`);
}

/** Deletes a file of the directory. Returns what the engine says about it. */
function remove(file = ""): string {
  rmSync(join(data, file));
  return `${file} is missing`;
}

const LOSSES: readonly (readonly [loss: string, lose: () => string])[] = [
  ["its write-ahead log was deleted", () => remove("journal.sqlite-wal")],
  ["its checkpoint was deleted", () => remove(stateFilesIn(data)[0])],
  ["its directory was deleted", () => {
    rmSync(data, { recursive: true });
    return "the directory is missing";
  }],
  ["its directory was renamed", () => {
    renameSync(data, aside);
    return "the directory is missing";
  }],
];

describe.skipIf(process.platform === "win32")("an engine with a data directory", () => {
  test.each(LOSSES)(
    "confirms nothing more after %s, says so, and gives a backup of everything",
    async (_, lose) => {
      const { engine, client, confirmed } = await startedAgain();
      const fault = lose();
      // It looks before a change, but not for each one.
      const refused = await until(() => order(client, confirmed), ({ status }) => status !== "ok");
      expect(refused).toMatchObject({ status: "rejected", code: "storage_missing" });
      expect(await refusalOf(engine)).toMatchObject({ code: "storage_missing", message: refused.message });
      expect([await metric(engine, "storage_missing"), await metric(engine, "storage_full")]).toEqual([1, 0]);
      expect(lines).toEqual([
        `the files in ${data} are no longer in their place, so changes are refused: ${fault}. Take a backup now ` +
        "(mkt backup), before this engine ends: what it has confirmed may be in its memory only",
      ]);

      const answer = await fetch(`${engine.url}${PATHS.backup}`, { headers: { [ACTING_USER_HEADER]: OPERATOR } });
      const [backup, restored] = [`${aside}.mkt`, `${aside}-restored`];
      await Bun.write(backup, await answer.arrayBuffer());
      await restoreBackup(backup, restored, Date.now);
      const { openOrders } = await lookAt(await startTestEngine({ data: restored }), BUYER);
      expect(openOrders.toSorted()).toEqual(confirmed.toSorted());
    },
  );

  test("accepts changes again once a renamed directory is back, and loses nothing", async () => {
    const { engine, client, confirmed } = await startedAgain();
    renameSync(data, aside);
    await until(() => refusalOf(engine), (refusal) => refusal !== undefined);
    renameSync(aside, data);
    await until(() => refusalOf(engine), (refusal) => refusal === undefined);
    await orders(client, 3, confirmed);
    expect(lines.at(-1)).toBe(`the files in ${data} are in their place again`);
    await engine.stop();
    const { openOrders } = await lookAt(await startTestEngine({ data }), BUYER);
    expect(openOrders.toSorted()).toEqual(confirmed.toSorted());
  });

  test("says so if nobody asks for anything, and stops in order", async () => {
    const { engine } = await startedAgain();
    rmSync(data, { recursive: true });
    await until(() => lines.length > 0, "the log line");
    await engine.stop();
    expect(lines[0]).toContain("the directory is missing");
  });
});
