import { expect, spyOn, test } from "bun:test";
import type { ToolReply } from "../../web/contract/calls.ts";
import { readAllPages } from "../../web/dashboard/live/paged-reads.ts";

test("a list of several pages is read whole, each page from the cursor of the one before", async () => {
  const asked: unknown[] = [];
  const pages = [["a", "b"], ["c"], ["d"]];
  const answer = (_address: unknown, { body }: { readonly body: string }) => {
    const page = asked.push((JSON.parse(body) as { arguments: unknown }).arguments) - 1;
    const cursor = page + 1 < pages.length ? `after ${page}` : null;
    const reply: ToolReply = { kind: "result", isError: false, result: { rows: pages[page], cursor } };
    return Promise.resolve(Response.json(reply));
  };
  const fetching = spyOn(globalThis, "fetch").mockImplementation(answer as never);
  try {
    expect(await readAllPages<string>("mkt_list_orders", "rows", { status: "working" })).toEqual(["a", "b", "c", "d"]);
  } finally {
    fetching.mockRestore();
  }
  const first = { status: "working", limit: 100 };
  expect(asked).toEqual([first, { ...first, cursor: "after 0" }, { ...first, cursor: "after 1" }]);
});
