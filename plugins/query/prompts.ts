// The prompts of the query pack. They change nothing.

import { creditReview } from "./prompts-credit-review.ts";
import { explainOrder } from "./prompts-explain-order.ts";
import { investigateOrder } from "./prompts-investigate-order.ts";
import { morningCheck } from "./prompts-morning-check.ts";

export default [morningCheck, explainOrder, investigateOrder, creditReview];
