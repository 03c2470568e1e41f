// What a page reads again and again, and the totals of many entities, which it reads a few at a time.

import { describe, expect, spyOn, test } from "bun:test";
import { atEnd } from "../../support/at-end.ts";
import { Refusal, settle } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { following } from "../support/hook.ts";
import { NOON } from "../support/market.ts";
import { update } from "../updates.ts";

const { answers, applyUpdates, later, sent } = await openDashboard();
const { useEntityTotals } = await import("../../../web/dashboard/live/entity-totals.ts");
const { usePolled } = await import("../../../web/dashboard/live/polled.ts");
const { readTool } = await import("../../../web/dashboard/live/server.ts");

type Given = Readonly<Record<string, unknown>>;

const fails = (code: string, status = 403) => () => {
  throw new Refusal(status, { code, message: "No." });
};

describe("what is polled", () => {
  test("belongs to its key: the value of another key is not shown, and its late answer is dropped", async () => {
    const reads: {
      key: string;
      signal: AbortSignal;
      resolve: (value: string) => void;
      reject: (error: Error) => void;
    }[] = [];
    const page = await following((key: string) => {
      const { value, error } = usePolled(
        (signal) => {
          const { promise, ...ends } = Promise.withResolvers<string>();
          reads.push({ key, signal, ...ends });
          return promise;
        },
        key,
        5_000,
      );
      return [value, error];
    }, "A");
    await page.go("B");
    await settle(() => reads[1]!.resolve("b"));
    await settle(() => reads[0]!.resolve("a"));
    expect([page.text(), reads.map(({ key, signal }) => [key, signal.aborted])])
      .toEqual(['["b",null]', [["A", true], ["B", false]]]);
    await page.go("C");
    await settle(() => reads[1]!.reject(new TypeError("late")));
    expect(page.text()).toBe("[null,null]");
    await page.go("D");
    await settle(() => reads[3]!.resolve("d"));
    await settle(() => reads[2]!.reject(new TypeError("late")));
    expect(page.text()).toBe('["d",null]');
    await page.leave();
    expect(reads.every(({ signal }) => signal.aborted)).toBeTrue();
  });

  test("keeps its last value beside an error, and is asked once a minute if it is forbidden", async () => {
    let answer: () => unknown = () => ({ is: "first" });
    answers["mkt_x"] = () => answer();
    const page = await following((key: string) => {
      const { value, error } = usePolled((signal) => readTool("mkt_x", {}, signal), key, 5_000);
      return [value, error?.code ?? null];
    }, "A");
    const seen = [page.text()];
    const reads: number[] = [];
    const after = async (ms: number, next: () => unknown) => {
      answer = next;
      const before = sent.length;
      await later(ms);
      seen.push(page.text());
      reads.push(sent.length - before);
    };
    await after(5_000, fails("timeout", 504));
    await after(5_000, fails("forbidden"));
    await after(59_999, () => ({ is: "second" }));
    await after(60_000, () => ({ is: "second" }));
    await after(5_000, () => ({ is: "third" }));
    expect(seen).toEqual([
      '[{"is":"first"},null]',
      '[{"is":"first"},"timeout"]',
      '[{"is":"first"},"forbidden"]',
      '[{"is":"first"},"forbidden"]',
      '[{"is":"second"},null]',
      '[{"is":"third"},null]',
    ]);
    expect(reads).toEqual([1, 1, 0, 1, 1]);
    await page.go("B");
    expect(page.text()).toBe('[{"is":"third"},null]');
  });
});

describe("the totals of many entities", () => {
  let now = 1_000_000;
  const clock = spyOn(performance, "now").mockImplementation(() => now);
  atEnd(() => clock.mockRestore());

  test("are kept as more are read, and read again after a trade of either side or a passing refusal", async () => {
    const asked: string[] = [];
    answers["mkt_get_entity"] = ({ entityId }: Given) => {
      asked.push(String(entityId));
      if (entityId === "D") fails("forbidden")();
      if (entityId === "E") fails("timeout", 504)();
      return { totals: entityId };
    };
    const ids = ["A", "B", "C", "D", "E", "F"];
    const page = await following(
      (ids: readonly string[]) =>
        [...useEntityTotals(ids)].map(([id, answer]) => answer.kind === "totals" ? id : `${id} ${answer.report.code}`),
      ids,
    );
    const next = async (ms: number, trade?: Given) => {
      if (trade !== undefined) {
        await settle(() =>
          applyUpdates([
            update({ events: [{ sequence: 1, category: "fill", type: "new.trade", time: NOON, data: trade }] }),
          ])
        );
      }
      asked.length = 0;
      now += ms;
      await later(100);
      return asked.join("");
    };
    expect(page.text()).toBe('["A","B","C","D forbidden"]');
    expect(await next(0)).toBe("EF");
    expect(page.text()).toBe('["A","B","C","D forbidden","E timeout","F"]');
    expect(await next(1_999, { buyEntityId: "B", sellEntityId: "A" })).toBe("");
    expect(await next(1)).toBe("EBA");
    expect(page.text()).toBe('["A","B","C","D forbidden","E timeout","F"]');
    // What was read stays if it can't be read again for now.
    const { mkt_get_entity: well } = answers;
    answers["mkt_get_entity"] = fails("timeout", 504);
    await next(2_000, { buyEntityId: "B", sellEntityId: "A" });
    expect(page.text()).toBe('["A","B","C","D forbidden","E timeout","F"]');
    answers["mkt_get_entity"] = well;
    await page.leave();
    expect(await next(100_000)).toBe("");
  });
});
