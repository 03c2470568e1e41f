// After an answer that is lost, looks whether the order is there, and repeats the request under its key if it is not.

import { z } from "zod";
import type { Inquiry } from "./inquiry.ts";

const contract = z.object({ productId: z.string(), status: z.string() });
const order = z.object({ status: z.string() });
const sent = z.looseObject({ idempotencyKey: z.string().optional() });

const MOST_TRIES = 10;

export async function lostAnswer(inquiry: Inquiry): Promise<void> {
  const filters = { productId: inquiry.told("product"), status: "listed" };
  const [listed] = await inquiry.modules("CONTRACT", contract, filters);
  const wanted = {
    contractId: listed?.id,
    side: "BUY",
    price: inquiry.amount("priceCents"),
    quantity: inquiry.amount("volumeMw"),
  };
  const { idempotencyKey } = sent.parse(await inquiry.attempt("mkt_create_test_order", wanted));
  if (idempotencyKey === undefined) return await inquiry.submit({ tookEffect: "yes" });
  const isThere = async () => (await inquiry.modules("ORDER", order, { clientOrderId: idempotencyKey })).length > 0;
  const tookEffect = await isThere() ? "yes" : "no";
  for (let tries = 0; tries < MOST_TRIES && !await isThere(); tries++) {
    await inquiry.attempt("mkt_create_test_order", { ...wanted, idempotencyKey });
  }
  await inquiry.submit({ tookEffect });
}
