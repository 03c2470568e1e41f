// One contract: book, depth, trades, price history.

import type { PageProps } from "./page.ts";

export default function Contract(_: PageProps) {
  return <p>Contract</p>;
}
