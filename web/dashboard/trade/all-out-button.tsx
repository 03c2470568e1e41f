// Cancels all open orders of the acting user, after one confirmation.

import { Button } from "../../components/button.tsx";
import { contractLabel } from "../live/listed-contracts.ts";
import { market } from "../live/market-store.ts";
import { confirmAndRun, newKey } from "../operation/confirmation.ts";
import { whyNot } from "../operation/permission.ts";
import { cancelAll, replyOf } from "./all-out.ts";
import { carryOut, TRADE_PERMISSION } from "./desk.ts";
import { openOrders } from "./own-reads.ts";
import { cancelRequest } from "./request.ts";

/** Between two rounds of cancels: a refusal for the rate ends after a second. */
const PAUSE_MS = 1_000;

/** `contractId` null: in every contract. */
export function AllOutButton({ contractId }: { readonly contractId: string | null }) {
  const userId = market.connection.value?.userId ?? null;
  const where = contractId === null ? "in every contract" : `in ${contractLabel(contractId)}`;
  const cancel = async (userId: string) => {
    await confirmAndRun(
      {
        title: `Cancel all orders of ${userId}, ${where}`,
        effect: `Every open order of ${userId} ${where} is cancelled, also those that agents have sent as ${userId}. ` +
          "Orders of colleagues stay. What has traded stays.",
        verb: contractId === null ? "Cancel all of mine" : "Cancel mine here",
        check: "The list of own open orders shows what is left.",
        isDangerous: true,
      },
      async () => {
        const open = () => openOrders({ userId, ...(contractId !== null && { contractId }) });
        const pause = () => new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));
        return replyOf(
          await cancelAll({ open, cancel: ({ id }, key) => carryOut(cancelRequest(id, key)), pause, newKey }),
        );
      },
      { isRepeatable: true },
    );
  };
  return (
    <Button
      small
      kind="danger"
      onClick={() => void (userId !== null && cancel(userId))}
      unavailable={whyNot({ permission: TRADE_PERMISSION, allowedWhenFrozen: true })}
    >
      {contractId === null ? "Cancel all of mine" : "Cancel mine here"}
    </Button>
  );
}
