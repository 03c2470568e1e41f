// A page of the dashboard: `#/NAME/ARGUMENT`.

import type { ComponentType } from "preact";
import { addressParts, changedQuery, withQuery } from "../address/address-text.ts";
import type { IconName } from "../../components/icon.tsx";

export interface PageProps {
  /** What follows the name in the address; empty if nothing does. */
  readonly argument: string;
}

export interface Page {
  readonly name: string;
  /** In the navigation; null: reached from other pages only. */
  readonly title: string | null;
  /** The name of the page in the navigation that leads to this one. */
  readonly parent?: string;
  /** In place of the title if there is little room. */
  readonly short?: string;
  readonly icon?: IconName;
  /** Only shown in control. */
  readonly isForControl?: boolean;
  readonly component: ComponentType<PageProps>;
}

/** The address of a page, for links. */
export function address(name: string, argument = ""): string {
  return `#/${name}${argument === "" ? "" : `/${encodeURIComponent(argument)}`}`;
}

/** For parts of pages that know no pages. */
export const LINKS = {
  orderAddress: (orderId: string) => address("order", orderId),
  contractAddress: (contractId: string) => address("contract", contractId),
};

/** The address of a page that shows what these parameters say. */
export function addressWith(name: string, parameters: Readonly<Record<string, string>>): string {
  return withQuery(address(name), changedQuery("", parameters));
}

/** Which page is meant by what follows # in the address; anything may stand there. */
export function pageRoute(hash: string): { readonly name: string } & PageProps {
  const [, name = "", ...rest] = addressParts(hash).place.split("/");
  return { name, argument: decoded(rest.join("/")) };
}

/** Text that is not well encoded stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
