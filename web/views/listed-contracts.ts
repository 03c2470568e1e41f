// The listed contracts, by product and delivery, as mkt_list_products gives them.

import { time, zoneName } from "../components/time-format.ts";
import type { Option } from "./options.ts";
import type { ToolAnswer, Values } from "./tool-answer.ts";

/** Of 130 contracts each; a longer list is no choice for a person. */
const MAX_PAGES = 4;

interface Product {
  readonly id: string;
  readonly name?: string;
  readonly contracts: readonly { readonly id: string; readonly deliveryStart: string }[];
}

type Call = (tool: string, values: Values) => Promise<ToolAnswer>;

/** Empty if they can't be had. */
export async function listedContracts(call: Call, timezone: string): Promise<Option[]> {
  const options: Option[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await call("mkt_list_products", { contracts: true, ...(cursor !== undefined && { cursor }) });
    if (answer.kind === "error") break;
    const products = answer.result["products"] as readonly Product[];
    options.push(...products.flatMap((product) => product.contracts.map((each) => optionOf(product, each, timezone))));
    cursor = answer.result["cursor"];
    if (cursor === undefined) break;
  }
  return options;
}

function optionOf({ id, name = id }: Product, contract: Product["contracts"][number], timezone: string): Option {
  const { deliveryStart } = contract;
  const text = `${name}, ${time(deliveryStart, timezone, "date")} ${time(deliveryStart, timezone, "minutes")} ` +
    zoneName(deliveryStart, timezone);
  return { value: contract.id, text };
}
