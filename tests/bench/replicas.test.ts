import { expect, test } from "bun:test";
import { measured, tablesOf } from "../../bench/replicas.ts";
import { startProcess } from "../support/processes.ts";
import { findRedisServer } from "../support/redis-server.ts";
import { LONG, size } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { outputOf } from "./output-of.ts";

const redisServer = findRedisServer("the bench of replicas");
const ALONE = { name: "1 without Redis", replicas: 1, withRedis: false };
const CASES = [...size([], [ALONE]), { name: "2", replicas: 2, withRedis: true }];

test.skipIf(redisServer === null || !LONG)(
  "the bench of replicas has a figure in every cell of its tables",
  async () => {
    const spawning = { spawn: startProcess, spawnProgram: startProcess, run: outputOf };
    const means = { ...spawning, redisServer: redisServer!, folder: temporaryDirectory() };
    const reads = { seconds: 0.2, connections: 4 };
    const figures = await measured(means, CASES, reads, { requestsPerSecond: 60, seconds: 1 });
    for (const { reads, events } of figures) {
      expect(events.events).toBeGreaterThan(50);
      expect(reads.perSecond).toBeGreaterThan(0);
    }
    for (const { withRedis, events: { bytes } } of figures) {
      if (withRedis) expect(bytes).toBeGreaterThan(100);
      else expect(bytes).toBe(0);
    }
    const tables = tablesOf(figures);
    expect(tables).not.toMatch(/NaN|Infinity/);
    for (const { name } of CASES) expect(tables.match(new RegExp(`^\\| ${name} `, "gm"))).toHaveLength(2);
  },
);
