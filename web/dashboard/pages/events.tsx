// The events of the market, by category, with pause and search.

import type { PageProps } from "./page.ts";

export default function Events(_: PageProps) {
  return <p>Events</p>;
}
