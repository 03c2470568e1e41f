// The runaway is the user with the most open orders in one book.

import { z } from "zod";
import { greatest, type Inquiry, OPEN } from "./inquiry.ts";

const order = z.object({ userId: z.string(), contractId: z.string(), status: z.string() });

export async function runawayTrader(inquiry: Inquiry): Promise<void> {
  const orders = (await inquiry.modules("ORDER", order)).filter(({ status }) => OPEN.includes(status));
  const groups = Map.groupBy(orders, ({ userId, contractId }) => `${userId} ${contractId}`);
  const [first] = greatest(groups.values(), ({ length }) => length);
  const user = first?.userId ?? "";
  await inquiry.cancelAll(user);
  await inquiry.submit({ user });
}
