// What an engine does while its machine's clock has jumped (engine-clock.ts): it carries out what takes orders away and halts
// markets, and refuses everything else, so nothing trades. Market time stands still, so nothing is due.

import { lengthText } from "../../../common/length-text.ts";
import type { Action } from "../../../protocol/index.ts";
import { rejected, type Rejection } from "../../api/outcome.ts";

/** For the operator. */
export const TO_ACCEPT =
  "Don't restart the engine before: a start follows the clock. If the new time is the right one: mkt accept-clock.";

const CARRIED_OUT: ReadonlySet<string> = new Set<Action>([
  "order.cancel",
  "market.halt",
  "engine.flush",
  "market.flush",
]);

/** The answer to a new request while the clock is `jumpMs` ahead (negative: behind); null: it is carried out. */
export function refusalDuring(jumpMs: number, action: string): Rejection | null {
  if (jumpMs === 0 || CARRIED_OUT.has(action)) return null;
  const jump = `The clock of the engine's machine has jumped ${jumpMs > 0 ? "ahead" : "back"} by ${lengthText(jumpMs)}`;
  const until = "Trading goes on when the clock is right again, or when the engine's operator accepts the new time";
  return rejected(
    "clock_jumped",
    `${jump}, so trading has stopped: nothing was changed. Orders can be cancelled. ${until} (mkt accept-clock).`,
  );
}
