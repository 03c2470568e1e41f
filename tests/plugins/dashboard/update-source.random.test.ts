// The stream of the dashboard against a model: random events, states, cuts, restarts, users and reads.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { EVENT_CHOICES } from "../../../web/contract/update.ts";
import { size } from "../../support/sizes.ts";
import { LivePage } from "./support/live-page.ts";
import { LiveWorld } from "./support/live-world.ts";

interface Step {
  run(world: LiveWorld, pages: readonly LivePage[]): void;
  /** For the report of a failure. */
  toString(): string;
}

const PAGES = 3;

const index = fc.nat({ max: 7 });
const choice = fc.record({
  watched: fc.uniqueArray(index.map((number) => `c${number}`), { maxLength: 3 }),
  events: fc.constantFrom(...EVENT_CHOICES),
});

function worldStep(name: string, run: (world: LiveWorld, number: number) => void): fc.Arbitrary<Step> {
  return index.map((number) => ({ run: (world) => run(world, number), toString: () => `${name} ${number}` }));
}

function pageStep(name: string, run: (page: LivePage) => void): fc.Arbitrary<Step> {
  return index.map((number) => ({
    run: (_, pages) => run(pages[number % pages.length]!),
    toString: () => `${name} ${number % PAGES}`,
  }));
}

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: worldStep("trade", (world, number) => world.trade(number)) },
  { weight: 12, arbitrary: worldStep("order", (world, number) => world.order(number)) },
  { weight: 2, arbitrary: worldStep("many orders", manyOrders) },
  { weight: 1, arbitrary: worldStep("halt", (world) => world.halt()) },
  { weight: 1, arbitrary: worldStep("list", (world) => world.list()) },
  { weight: 2, arbitrary: worldStep("expire", (world, number) => world.expire(number)) },
  { weight: 1, arbitrary: worldStep("rename", (world) => world.rename()) },
  { weight: 1, arbitrary: worldStep("gap", (world, number) => world.gap(number + 1)) },
  { weight: 2, arbitrary: worldStep("lose", (world) => world.lose()) },
  { weight: 2, arbitrary: worldStep("resend", (world) => world.resend()) },
  { weight: 3, arbitrary: worldStep("restore", (world) => world.restore()) },
  { weight: 1, arbitrary: worldStep("leave", (world) => world.leave()) },
  { weight: 3, arbitrary: worldStep("connect", (world, number) => world.connect(number < 6 ? "alice" : "bob")) },
  { weight: 1, arbitrary: worldStep("epoch", (world) => world.beginEpoch()) },
  { weight: 1, arbitrary: fc.constant<Step>({ run: restart, toString: () => "restart" }) },
  { weight: 20, arbitrary: pageStep("read", (page) => void page.read()) },
  { weight: 4, arbitrary: pageStep("reconnect", (page) => page.reconnect()) },
  { weight: 1, arbitrary: pageStep("reload", (page) => page.reload()) },
  {
    weight: 2,
    arbitrary: fc.tuple(index, choice).map(([number, choice]): Step => ({
      run: (_, pages) => pages[number % pages.length]!.reconnect(choice),
      toString: () => `page ${number % PAGES} chooses ${JSON.stringify(choice)}`,
    })),
  },
);

function manyOrders(world: LiveWorld, number: number): void {
  for (let count = 0; count < 15; count++) world.order(number + count);
}

function restart(world: LiveWorld, pages: readonly LivePage[]): void {
  world.restart();
  for (const page of pages) page.reconnect();
}

test("every page has each event once, in order, or a count of what was lost, and the state as it is", () => {
  fc.assert(
    fc.property(fc.array(steps, { minLength: 1, maxLength: size(120, 400), size: "max" }), (steps) => {
      const world = new LiveWorld();
      const pages = Array.from({ length: PAGES }, () => new LivePage(world));
      for (const step of steps) step.run(world, pages);
      world.connect("alice");
      world.restore();
      for (const page of pages) {
        // An update comes each second, also if the page is told nothing of the events.
        for (let second = 1; second === 1 || page.sequence < world.sequence; second++) {
          expect(page.read(second * 1_000)).toBe(true);
          expect(second).toBeLessThan(1_000);
        }
        checkState(page, world);
        expect(page.sequence).toBe(world.sequence);
      }
    }),
    { numRuns: size(20, 3_000), includeErrorInReport: true },
  );
});

function checkState(page: LivePage, world: LiveWorld): void {
  const shown = [...page.rows].map(([id, { contractId, productName, lastPrice }]) => [id, {
    contractId,
    productName,
    lastPrice,
  }]);
  const expected = world.expectedRows();
  expect(Object.fromEntries(shown)).toEqual(expected);
  const books = page.choice.watched.filter((id) => world.lastPriceOf(id) !== undefined);
  expect([...page.books.keys()].sort()).toEqual(books.toSorted());
  for (const id of books) expect(page.books.get(id)?.bids[0]?.price).toBe(world.lastPriceOf(id)!);
  expect(page.markets.map(({ halted }) => halted)).toEqual([world.isHalted]);
  expect(page.connection).toMatchObject({ status: "connected", userId: world.user, stale: false });
}
