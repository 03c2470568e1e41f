import { expect, test } from "bun:test";
import type { ContractRow, Market } from "../../web/contract/market.ts";
import { contractLabel, nameOf } from "../../web/dashboard/live/listed-contracts.ts";
import { timezoneOf } from "../../web/dashboard/live/market-clock.ts";
import { applyUpdates } from "../../web/dashboard/live/market-store.ts";
import { atEnd } from "../support/at-end.ts";
import { update } from "./updates.ts";

const market = (id: string, timezone: string): Market => ({
  ...{ id, code: id, name: id, timezone, nodes: [id] },
  ...{ status: "open", halted: false, haltReason: null, preopen: null, open: null, close: null },
});

const hourOf = (marketId: string, deliveryStart: string): ContractRow => ({
  ...{ contractId: `${marketId}-HOUR`, productId: marketId, productName: marketId, productType: "hour" },
  ...{ node: marketId, marketId, deliveryStart, hours: 1 },
  deliveryEnd: new Date(Date.parse(deliveryStart) + 3_600_000).toISOString(),
  ...{ bestBid: null, bestAsk: null, bestBidVolume: null, bestAskVolume: null, lastPrice: null },
  ...{ tradedQuantity: 0, workingOrders: 0 },
});

test("the dashboard names each contract by the hours of its own market, whichever market comes first", () => {
  atEnd(() => applyUpdates([update({ markets: [], contracts: [], isWhole: true })]));
  // 09:00 in each.
  const contracts = [hourOf("BERLIN", "2026-01-26T08:00:00.000Z"), hourOf("CHICAGO", "2026-01-26T15:00:00.000Z")];
  const markets = [market("BERLIN", "Europe/Berlin"), market("CHICAGO", "America/Chicago")];
  applyUpdates([update({ markets, contracts, isWhole: true })]);
  expect(contracts.map((row) => nameOf(row).delivery)).toEqual(["09–10 h", "09–10 h"]);
  expect(contractLabel("CHICAGO-HOUR")).toBe("CHICAGO, hour 10 of Jan 26");
  expect(["BERLIN", "CHICAGO", "LIMA", undefined].map(timezoneOf)).toEqual([
    "Europe/Berlin",
    "America/Chicago",
    "Europe/Berlin",
    "Europe/Berlin",
  ]);
});

test("the dashboard names a contract anew if the time zone of its market changes, and keeps the name otherwise", () => {
  atEnd(() => applyUpdates([update({ markets: [], contracts: [], isWhole: true })]));
  const contract = hourOf("BERLIN", "2026-01-26T08:00:00.000Z");
  applyUpdates([update({ markets: [market("BERLIN", "Europe/Berlin")], contracts: [contract], isWhole: true })]);
  const name = nameOf(contract);
  applyUpdates([update({ contracts: [{ ...contract, lastPrice: 4_000 }] })]);
  expect(nameOf(contract)).toBe(name);
  applyUpdates([update({ markets: [market("BERLIN", "Europe/London")] })]);
  expect([name.delivery, nameOf(contract).delivery]).toEqual(["09–10 h", "08–09 h"]);
});
