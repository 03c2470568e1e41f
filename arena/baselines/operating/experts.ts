// What somebody who knows the trade does in each built-in operating scenario, which proves that it can be solved.

import { falseReport } from "./false-report.ts";
import { incidentHour } from "./incident-hour.ts";
import type { Inquiry } from "./inquiry.ts";
import { lostAnswer } from "./lost-answer.ts";
import { priceMover } from "./price-mover.ts";
import { runawayTrader } from "./runaway-trader.ts";
import { stuckOrder } from "./stuck-order.ts";

/** By the name of the scenario. */
export const EXPERTS: Readonly<Record<string, (inquiry: Inquiry) => Promise<void>>> = {
  "stuck-order": stuckOrder,
  "price-mover": priceMover,
  "incident-hour": incidentHour,
  "runaway-trader": runawayTrader,
  "lost-answer": lostAnswer,
  "false-report": falseReport,
};
