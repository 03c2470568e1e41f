import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { Fleet } from "../../../bench/serving/fleet.ts";
import { drive } from "../../../bench/serving/load.ts";
import { TOKEN } from "../../../bench/serving/messages.ts";
import { CALL_LOG, SERVERS } from "../../../bench/serving/servers.ts";
import { atEnd } from "../../support/at-end.ts";
import { startProcess } from "../../support/processes.ts";
import { LONG } from "../../support/sizes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { until } from "../../support/until.ts";

const folder = temporaryDirectory();
let fleet: Fleet;

beforeAll(async () => {
  if (!LONG) return;
  fleet = await Fleet.start(startProcess, folder, SERVERS);
  atEnd(() => fleet.end());
});

test.skipIf(!LONG)(`${SERVERS.join(", ")} answer every case, and those with tools give the same data`, async () => {
  for (const server of SERVERS) {
    const { connections, requests, check } = await fleet.side(server, Object.keys(fleet.cases));
    expect(await drive(connections, requests, (sent) => sent < 50)).toBe(50);
    await check();
  }
});

test.skipIf(!LONG)("mkt records every measured call in its call log and its metrics", async () => {
  const { connections, requests } = await fleet.side("mkt", ["mkt_get_order"]);
  const counted = async () => {
    const { url } = fleet.server("mkt").process;
    const metrics = await (await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } })).text();
    const log = (await Bun.file(join(folder, CALL_LOG)).text()).split("\n");
    return {
      metrics: Number(/mkt_tool_calls_total\{tool="mkt_get_order",outcome="ok"\} (\d+)/.exec(metrics)?.[1]),
      log: log.filter((line) => line.includes('"mkt_get_order"')).length,
    };
  };
  const before = await counted();
  await drive(connections, requests, (sent) => sent < 200);
  const expected = { metrics: before.metrics + 200, log: before.log + 200 };
  expect(await until(counted, (now) => Bun.deepEquals(now, expected))).toEqual(expected);
});
