// The listed contracts, by product and delivery, as mkt_list_products gives them.

import { time, zoneName } from "../components/time-format.ts";
import type { Option } from "./options.ts";
import type { ViewProps } from "./view.ts";

/** Of 130 contracts each; a longer list is no choice for a person. */
const MAX_PAGES = 4;

interface Product {
  readonly id: string;
  readonly name?: string;
  readonly contracts: readonly { readonly id: string; readonly deliveryStart: string }[];
}

interface ListedContract {
  readonly id: string;
  readonly deliveryStart: string;
  readonly productName: string;
}

/** Empty if they can't be had. */
export async function listedContracts(call: ViewProps["call"]): Promise<ListedContract[]> {
  const listed: ListedContract[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await call("mkt_list_products", { contracts: true, ...(cursor !== undefined && { cursor }) });
    if (answer.kind === "error") break;
    const products = answer.result["products"] as readonly Product[];
    listed.push(
      ...products.flatMap(({ id, name = id, contracts }) =>
        contracts.map((contract) => ({ ...contract, productName: name }))
      ),
    );
    cursor = answer.result["cursor"];
    if (cursor === undefined) break;
  }
  return listed;
}

export function contractOption({ id, deliveryStart, productName }: ListedContract, timezone: string): Option {
  const start = `${time(deliveryStart, timezone, "date")}, ${time(deliveryStart, timezone, "minutes")}`;
  return { value: id, text: `${start} ${zoneName(deliveryStart, timezone)}: ${productName}`, group: productName };
}
