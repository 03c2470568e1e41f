// What a strategy file gets as its argument. The file needs no installed package:
//
//   export default (mkt) => mkt.defineStrategy({ name: "hello", sides: "both", make: (setup) => ({ quote() {} }) })

import { z } from "zod";
import type { StrategyDeclaration, StrategyHost } from "../../../docs/examples/mkt-strategy.d.ts";
import { BUY, SELL } from "../../../protocol/sides.ts";

export const strategyHost: StrategyHost = {
  // The declared result of an object's schema is simpler than zod's own, and equal for the schemas that are declared.
  z: { ...z, strictObject: z.strictObject as never },
  BUY,
  SELL,
  defineStrategy: <Parameters>(declaration: StrategyDeclaration<Parameters>) => declaration,
};
