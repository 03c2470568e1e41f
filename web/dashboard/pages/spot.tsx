// Spot prices of both nodes.

import type { PageProps } from "./page.ts";

export default function Spot(_: PageProps) {
  return <p>Spot</p>;
}
