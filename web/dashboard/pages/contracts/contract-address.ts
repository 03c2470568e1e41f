// Filter and order of the list of contracts as parameters of its address: `text`, `node`, `delivery`, and `sort`, which is
// `bid`, or `-bid` for the highest first.

import type { ContractFilter } from "./contract-groups.ts";
import { BY_DELIVERY, type Sort, SORT_KEYS } from "./contract-order.ts";

export const FILTER_IN_ADDRESS = {
  read: (parameters: URLSearchParams): ContractFilter => ({
    text: parameters.get("text") ?? "",
    node: parameters.get("node") ?? "",
    kind: KINDS.find((kind) => kind === parameters.get("delivery")) ?? "",
  }),
  write: ({ text, node, kind }: ContractFilter) => ({ text, node, delivery: kind }),
};

const KINDS = ["hours", "days", "months", "other"] as const;

export const SORT_IN_ADDRESS = {
  read: (parameters: URLSearchParams): Sort => {
    const [, minus, name] = /^(-?)(\w+)$/.exec(parameters.get("sort") ?? "") ?? [];
    const key = SORT_KEYS.find((known) => known === name);
    return key === undefined ? BY_DELIVERY : { key, isDescending: minus === "-" };
  },
  write: ({ key, isDescending }: Sort) => ({
    sort: key === BY_DELIVERY.key && !isDescending ? "" : `${isDescending ? "-" : ""}${key}`,
  }),
};
