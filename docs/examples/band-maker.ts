// A strategy of one's own: quotes both sides around its forecast, leans against its position, and widens after trades
// that go against it.
//
//   mkt simulate --strategy band-maker.ts --personas band-maker:2,zip:10 --hours 2

import type { StrategyHost } from "./mkt-strategy.d.ts";

export default ({ z, BUY, SELL, defineStrategy }: StrategyHost) =>
  defineStrategy({
    name: "band-maker",
    sides: "both",
    role: "maker",
    parameters: z.strictObject({
      width: z.number().min(0.1).max(100).default(1).describe("Distance of a quote from the middle, half spreads"),
      lean: z.number().min(0).max(10).default(0.5).describe(
        "Move of the middle for each normal order held, half spreads",
      ),
    }),
    make({ priceScale, quantityScale }, { width, lean }) {
      let caution = 1;
      return {
        observesTradesOnly: true,
        quote(_market, account, quotes) {
          const middle = account.fundamentalValue - lean * priceScale * account.position / quantityScale;
          const distance = width * priceScale * caution;
          quotes.set(BUY, middle - distance, Math.min(quantityScale, account.buyQuantity));
          quotes.set(SELL, middle + distance, Math.min(quantityScale, account.sellQuantity));
          caution = Math.max(1, 0.95 * caution);
        },
        observe({ isTrade, price }, _market, { fundamentalValue }) {
          if (isTrade && Math.abs(price - fundamentalValue) > width * priceScale) caution = Math.min(4, 1.2 * caution);
        },
      };
    },
  });
