// Entities with their positions and profit.

import type { PageProps } from "./page.ts";

export default function Entities(_: PageProps) {
  return <p>Entities</p>;
}
