// The ten tasks, in the order in which they run. The last ones change the whole market.

import cancelAbovePrice from "./cancel-above-price.ts";
import cheapestHour from "./cheapest-hour.ts";
import followContract from "./follow-contract.ts";
import haltAndResume from "./halt-and-resume.ts";
import largestCredit from "./largest-credit.ts";
import loadCheck from "./load-check.ts";
import orderHistory from "./order-history.ts";
import timeoutSettled from "./timeout-settled.ts";
import positions from "./positions.ts";
import type { Task } from "./support/task.ts";
import whyNoTrade from "./why-no-trade.ts";

export const TASKS: readonly Task[] = [
  whyNoTrade,
  cheapestHour,
  positions,
  largestCredit,
  orderHistory,
  timeoutSettled,
  cancelAbovePrice,
  followContract,
  haltAndResume,
  loadCheck,
];
