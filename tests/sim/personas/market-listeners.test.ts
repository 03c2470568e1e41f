// Who is told of which updates: each listener of its contract and kind, once, until it stops listening or the contract is gone.

import { expect, test } from "bun:test";
import { MarketListeners } from "../../../sim/personas/market-listeners.ts";
import { contract, view } from "./support.ts";

const [ONE, OTHER] = [contract(0), contract(1)];

test("trades reach listeners of trades and of quotes, quotes those of quotes alone, and nobody after they are forgotten", () => {
  const listeners = new MarketListeners();
  const heard: string[] = [];
  const named = (name: string) => ({ onMarketUpdate: () => void heard.push(name) });
  const [trades, quotes, all] = [named("trades"), named("quotes"), named("all")];
  /** Whether anybody would be told, and who is. */
  const told = (traded = ONE) =>
    [true, false].map((isTrade) => {
      heard.length = 0;
      listeners.publish({ contract: traded, side: 0, price: 1, quantity: 1, isTrade }, view());
      expect(listeners.isHeard(traded, isTrade)).toBe(heard.length > 0);
      return heard.join(" ");
    });
  expect(told()).toEqual(["", ""]);
  listeners.listen(ONE, trades, "trades");
  listeners.listen(ONE, quotes, "quotes");
  listeners.listen(ONE, quotes, "quotes");
  expect([told(), told(OTHER)]).toEqual([["trades quotes", "quotes"], ["", ""]]);
  listeners.listen(OTHER, trades, "trades");
  listeners.ignore(ONE, quotes);
  expect([told(), told(OTHER)]).toEqual([["trades", ""], ["trades", ""]]);
  listeners.listen(ONE, quotes, "quotes");
  listeners.forget(ONE);
  expect([told(), told(OTHER)]).toEqual([["", ""], ["trades", ""]]);
  listeners.listenToAll(all);
  expect([told(), told(OTHER)]).toEqual([["all", "all"], ["trades all", "all"]]);
});
