// Asks of each own open order why it does not trade, and gives the counterparty of the brief what is missing.

import { z } from "zod";
import { type Inquiry, OPEN } from "./inquiry.ts";

const order = z.object({ status: z.string() });
const explained = z.looseObject({
  blockedBy: z.array(z.looseObject({ counterpartyId: z.string().nullable(), reason: z.string() })).nullable(),
});

export async function stuckOrder(inquiry: Inquiry): Promise<void> {
  const { entityId } = inquiry.brief;
  const counterpartyId = inquiry.told("counterparty");
  for (const { id, status } of await inquiry.modules("ORDER", order, { entityId })) {
    if (!OPEN.includes(status)) continue;
    const { blockedBy } = explained.parse(await inquiry.call("mkt_get_order", { orderId: id }));
    const block = blockedBy?.find((each) => each.counterpartyId === counterpartyId);
    if (block === undefined) continue;
    const missing = block.reason === "entity_documents" ? "documents" : "limit";
    const pair = { entityId, counterpartyId };
    if (missing === "documents") {
      await inquiry.call("mkt_set_documentation_status", { ...pair, status: "docs_in_place" });
    } else {
      const limit = inquiry.amount("limitDollars");
      await inquiry.call("mkt_set_credit_limit", { ...pair, limitType: "notional", scope: "total", limit });
    }
    return await inquiry.submit({ order: id, missing });
  }
}
