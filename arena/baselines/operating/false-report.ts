// Looks for the orders that the report is about, and whose they are.

import { z } from "zod";
import { greatest, type Inquiry } from "./inquiry.ts";

const order = z.object({
  userId: z.string(),
  contractId: z.string(),
  closeReason: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
const contract = z.object({ productId: z.string() });

const SHOWN_MS = 30_000;

export async function falseReport(inquiry: Inquiry): Promise<void> {
  const accused = inquiry.told("accused");
  const contracts = await inquiry.modules("CONTRACT", contract, { productId: inquiry.told("product") });
  const ids = contracts.map(({ id }) => id);
  const orders = await inquiry.modules("ORDER", order, { quantity: inquiry.amount("volumeMw") });
  const withdrawn = orders.filter(({ contractId, closeReason, createdAt, updatedAt }) =>
    ids.includes(contractId) && closeReason === "cancelled" &&
    Date.parse(updatedAt) - Date.parse(createdAt) <= SHOWN_MS
  );
  const [user, own] = greatest(Map.groupBy(withdrawn, ({ userId }) => userId), ([, { length }]) => length);
  if (user === accused) await inquiry.cancelAll(accused);
  await inquiry.submit({ verdict: String(user === accused), user, orders: own.map(({ id }) => id) });
}
