// A page of the dashboard: `#/NAME/ARGUMENT`.

import type { ComponentType } from "preact";

export interface PageProps {
  /** What follows the name in the address; empty if nothing does. */
  readonly argument: string;
}

export interface Page {
  readonly name: string;
  /** In the navigation; null: reached from other pages only. */
  readonly title: string | null;
  readonly component: ComponentType<PageProps>;
}

/** The address of a page, for links. */
export function address(name: string, argument = ""): string {
  return `#/${name}${argument === "" ? "" : `/${encodeURIComponent(argument)}`}`;
}
