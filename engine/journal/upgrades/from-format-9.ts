// Format 10: the record of a rejected request for a closed order names the order by its number, before by its id.

import type { UpgradeStep } from "./journal-content.ts";

export const FROM_FORMAT_9: UpgradeStep = {
  record(record) {
    const { closedOrder } = record;
    return typeof closedOrder === "string"
      ? { ...record, closedOrder: Number(closedOrder.slice("ORD-".length)) }
      : record;
  },
};
