// Reads the audit trail for each of the things that happened.

import { MINUTE_MS } from "../../../protocol/time-units.ts";
import type { Inquiry } from "./inquiry.ts";

export async function incidentHour(inquiry: Inquiry): Promise<void> {
  const limits = await inquiry.audit("creditLimitSet");
  const credit = limits.find(({ details }) => details["limit"] === 0);
  const [[halt], [flush], [resume]] = [
    await inquiry.audit("marketHalted"),
    await inquiry.audit("engineFlushed"),
    await inquiry.audit("marketResumed"),
  ];
  const acts = [credit, halt, flush, resume].filter((act) => act !== undefined);
  const inOrder = acts.toSorted((one, other) => one.time < other.time ? -1 : 1);
  await inquiry.submit({
    creditUser: credit?.userId,
    counterparty: credit?.details["counterpartyId"],
    haltUser: halt?.userId,
    resumeUser: resume?.userId,
    flushUser: flush?.userId,
    contract: flush?.details["contractId"],
    ordersEnded: flush?.details["ordersAffected"],
    haltMinutes: (Date.parse(resume?.time ?? "") - Date.parse(halt?.time ?? "")) / MINUTE_MS,
    users: inOrder.map(({ userId }) => userId),
  });
}
