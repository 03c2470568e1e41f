// The audit trail of an order as a timeline.

import type { PageProps } from "./page.ts";

export default function Order(_: PageProps) {
  return <p>Order</p>;
}
