// How many users, names and words answers and searches take: exactly as many as are allowed, and one more.

import { expect, test } from "bun:test";
import { moduleView, wholeModule } from "../../../plugins/toolkit/columns.ts";
import { contractsDescribedBy } from "../../../plugins/toolkit/contract-search.ts";
import { checkNamedModules } from "../../../plugins/toolkit/named-modules.ts";
import { snapshotOf } from "../support/still-market.ts";

const entity = (count: number) => ({ id: "e", userIds: Array.from({ length: count }, (_, at) => `u${at}`) });

test.each([[200, undefined], [201, 1], [300, 100]])("of %d users of one entity %p are left out", (count, leftOut) => {
  const { userIds, usersLeftOut } = wholeModule(entity(count));
  expect(userIds).toEqual(entity(Math.min(count, 200)).userIds);
  expect(usersLeftOut).toBe(leftOut as number);
});

test.each([[5, undefined], [6, 1]])("of %d users of an entity in a list %p are left out", (count, leftOut) => {
  const view = moduleView("ENTITY", ["all"], snapshotOf({}));
  const { userIds, usersLeftOut } = view(entity(count) as never);
  expect(userIds).toHaveLength(5);
  expect(usersLeftOut).toBe(leftOut as number);
});

test.each([[20, true], [21, false]])("of %d markets the names are given: %p", (count, isListed) => {
  const markets = Array.from({ length: count }, (_, at) => [`/MARKET/M${at}-${"q".repeat(9)}`, { code: `C${at}` }]);
  const snapshot = snapshotOf(Object.fromEntries(markets));
  let hint = "";
  try {
    checkNamedModules(snapshot, { marketId: "zzz" });
  } catch (error) {
    ({ hint } = error as { hint: string });
  }
  expect([hint.includes("Give one of M0-"), hint.length > 0]).toEqual([isListed, true]);
});

test("a contract is looked for by up to 12 words", () => {
  const contract = { productId: "p", marketId: "m", code: "c", name: "x", status: "listed", hours: 1 };
  const times = { deliveryStart: "2030-06-01T12:00:00.000Z", deliveryEnd: "2030-06-01T13:00:00.000Z" };
  const snapshot = snapshotOf({ "/CONTRACT/abc": { ...contract, ...times } });
  const found = (words: number) => contractsDescribedBy(snapshot, Array(words).fill("june").join(" "));
  expect([found(12), found(13)]).toEqual([["abc"], []]);
});
