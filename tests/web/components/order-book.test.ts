// What a person reads in a book, its depth and its trades. reading.ts explains the notation.

import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { DepthChart } from "../../../web/components/depth-chart.tsx";
import { OrderLadder } from "../../../web/components/order-book.tsx";
import { TradeTape } from "../../../web/components/trade-tape.tsx";
import { openBrowser, settle, show } from "../support/browser.ts";

openBrowser();

const level = (price: number, volume: number, orderCount = 1) => ({ price, volume, orderCount });

describe("the ladder of a book", () => {
  const BOOK = {
    bids: [level(4_673, 5, 2), level(4_600, 10, 3)],
    asks: [level(4_700, 1.5), level(10_050, 20, 4)],
  };

  test("has asks above bids with the best ones beside the spread, and the own orders on their side", async () => {
    const own = { bids: new Map([[4_600, 3], [4_700, 8]]), asks: new Map([[10_050, 0.5], [4_673, 9]]) };
    const page = await show(h(OrderLadder, { book: BOOK, lastPrice: 4_690, depth: 3, own }));
    expect(page.text).toBe(
      `Sum | # | Bid | $/MWh | Ask | # | Sum
| | | | | |
| | | ‹ask›100.50 | ‹ask›▭100% ‹own›◆own orders 0.5 MW of 20.0 | 4 | 21.5
‹best›| | | ‹ask›47.00, best ask | ‹ask›▭7.5% 1.5 | 1 | 1.5
Spread 0.27 Mid 46.865 Last 46.90
‹best›5.0 | 2 | ‹bid›▭25% 5.0 | ‹bid›46.73, best bid | | |
15.0 | 3 | ‹bid›▭50% ‹own›◆own orders 3 MW of 10.0 | ‹bid›46.00 | | |
| | | | | |`,
    );
  });

  test.each<[name: string, bids: [number, number][], asks: [number, number][], last: number | null, expected: string]>([
    ["empty", [], [], null, "No orders in the book Last –"],
    ["of bids", [[4_600, 1]], [], 4_600, "Spread – Mid – Last 46.00"],
    ["open", [[4_600, 1]], [[4_602, 1]], null, "Spread 0.02 Mid 46.01 Last –"],
    ["locked", [[4_600, 1]], [[4_600, 1]], null, "‹crossed›locked 0.00 Mid 46.00 Last –"],
    ["crossed", [[4_700, 1]], [[4_600, 1]], null, "‹crossed›crossed −1.00 Mid 46.50 Last –"],
    ["below zero", [[-200, 1]], [[-100, 1]], -150, "Spread 1.00 Mid −1.50 Last −1.50"],
  ])("says of a book that is %s what lies between its sides", async (_name, bids, asks, lastPrice, expected) => {
    const of = (levels: [number, number][]) => levels.map(([price, volume]) => level(price, volume));
    const page = await show(h(OrderLadder, { book: { bids: of(bids), asks: of(asks) }, lastPrice }));
    expect(page.text.split("\n")[6]).toBe(expected);
    expect(page.text.split("\n")).toHaveLength(12);
  });

  test("has as many rows as the longer side", async () => {
    const bids = Array.from({ length: 7 }, (_, index) => level(4_600 - index, 1));
    const page = await show(h(OrderLadder, { book: { bids, asks: [] }, lastPrice: null }));
    expect(page.text.split("\n")).toHaveLength(16);
  });
});

describe("the depth of a book", () => {
  const BOOK = { bids: [level(4_600, 10), level(4_500, 30)], asks: [level(4_700, 5), level(4_800, 15)] };
  const paths = (page: { all: (name: string) => { attributes: Map<string, string> }[] }, name: string) =>
    page.all(name)[0]?.attributes.get("d");

  test("has bids left and asks right of the middle, as high as their volumes", async () => {
    const page = await show(h(DepthChart, { book: BOOK }));
    expect(page.text).toBe("40 MW 20 0\n44.85 46.50 48.15");
    expect(page.all("svg")[0]!.attributes.get("aria-label")).toBe("Depth: 40 MW wanted, 20 MW offered");
    expect([paths(page, "depth-bids"), paths(page, "depth-asks"), paths(page, "depth-mid")]).toEqual([
      "M348.5 400L348.5 304L45.5 304L45.5 16L0 16V400H348.5Z",
      "M651.5 400L651.5 352L954.5 352L954.5 208L1000 208V400H651.5Z",
      "M500 0V400",
    ]);
  });

  test.each([
    [0, "40 MW wanted down to 44.85"],
    [20, "10 MW wanted down to 45.51"],
    [50, "46.50 $/MWh: between bid and ask"],
    [70, "5 MW offered up to 47.16"],
    [100, "20 MW offered up to 48.15"],
    [250, "20 MW offered up to 48.15"],
  ])("says what is under the mouse at %i of its width", async (clientX, expected) => {
    const page = await show(h(DepthChart, { book: BOOK }));
    await settle(() => void page.all("depth-box")[0]!.dispatch({ type: "pointermove", clientX }));
    const shown = page.all("depth-readout")[0]!;
    expect(page.text).toContain(expected);
    expect(shown.attributes.get("class")!.includes("left")).toBe(clientX > 50);
    await settle(() => void page.all("depth-box")[0]!.dispatch({ type: "pointerleave" }));
    expect(page.all("depth-readout")).toEqual([]);
  });

  test("of one side has no middle, and of no side says so", async () => {
    const [one, none] = [{ bids: BOOK.bids, asks: [] }, { bids: [], asks: [] }];
    expect(paths(await show(h(DepthChart, { book: one })), "depth-mid")).toBeUndefined();
    expect((await show(h(DepthChart, { book: none }))).text).toBe("No depth: the book is empty.");
  });
});

describe("the tape", () => {
  const trade = (id: number, aggressorSide: 0 | 1, price: number, quantity: number) => (
    {
      id: `T${id}`,
      contractId: "C",
      time: new Date(Date.UTC(2026, 10, 23, 10, 0, id)).toISOString(),
      price,
      quantity,
      aggressorSide,
    }
  );
  const tape = (trades: ReturnType<typeof trade>[]) =>
    h(TradeTape, { trades, timezone: "America/Edmonton", empty: "No trades." });
  const TRADES = [trade(3, 1, 4_700, 1.25), trade(2, 0, -4_673, 5)];

  test("has the newest trade first, and who crossed the spread", async () => {
    expect((await show(tape(TRADES))).text).toBe(
      `Trades
<Pause>
Time, MST | $/MWh | MW | Aggressor
03:00:03 | ‹sell›47.00 | 1.25 | ‹sell›▼ seller
03:00:02 | ‹buy›−46.73 | 5.00 | ‹buy›▲ buyer`,
    );
    expect((await show(tape([]))).text).toEndWith("No trades.");
  });

  test("stands still while it is paused, and counts what came meanwhile", async () => {
    const page = await show(tape(TRADES));
    await page.click("Pause");
    await page.redraw(tape([trade(5, 0, 1, 1), trade(4, 0, 1, 1), ...TRADES]));
    expect(page.text).toContain("2 newer <Paused ✓>");
    expect(page.text).not.toContain("03:00:04");
    await page.redraw(tape([trade(9, 0, 1, 1)]));
    expect(page.text).toContain("1 or more newer");
    await page.click("Paused");
    expect(page.text).toContain("03:00:09");
    expect(page.text).not.toContain("newer");
  });
});
