import { expect, test } from "bun:test";
import { pageOf } from "../../../plugins/toolkit/list-page.ts";

test("a list has a next page only if items are left, also if its length is a multiple of the page's", () => {
  for (const length of [0, 1, 2, 3, 4, 5, 6]) {
    const items = Array.from({ length }, (_, at) => `item-${at}`);
    const read: string[] = [];
    let pages = 0;
    let cursor: string | undefined;
    for (let hasMore = true; hasMore; pages += 1) {
      const page = pageOf(items, (item) => item, { list: "trial", filters: {}, limit: 2, cursor });
      read.push(...page.items);
      expect([page.total, page.cursor === null]).toEqual([length, !page.hasMore]);
      cursor = page.cursor ?? undefined;
      hasMore = page.hasMore;
    }
    expect([read, pages]).toEqual([items, Math.max(1, Math.ceil(length / 2))]);
  }
});
