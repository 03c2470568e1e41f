import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import type { Budget } from "./support/task.ts";
import { TaskMarket } from "./support/task-market.ts";
import { withTaskTable } from "./support/task-table.ts";
import { TASKS } from "./tasks.ts";

const DOCUMENT = Bun.file(resolve(import.meta.dir, "../../docs/for-agents.md"));

const market = await TaskMarket.open();
const used = new Map<string, Budget>();
beforeEach(() => void market.agents.splice(0));
afterAll(async () => {
  if (process.env["UPDATE_TASKS"] === "1") await DOCUMENT.write(withTaskTable(await DOCUMENT.text(), TASKS, used));
});

describe("within its budget", () => {
  test.each(TASKS.map((task) => [task.setBy, task.request, task] as const))("%s: %s", async (_who, _request, task) => {
    await task.run(market);
    const { name, budget } = task;
    const calls = market.agents.reduce((sum, agent) => sum + agent.calls, 0);
    const bytes = market.agents.reduce((sum, agent) => sum + agent.bytes, 0);
    used.set(name, { calls, bytes });
    console.log(`${name}: ${calls} of ${budget.calls} calls, ${bytes} of ${budget.bytes} bytes`);
    expect(calls).toBeGreaterThan(0);
    expect(calls).toBeLessThanOrEqual(budget.calls);
    expect(bytes).toBeLessThanOrEqual(budget.bytes);
  });
});
