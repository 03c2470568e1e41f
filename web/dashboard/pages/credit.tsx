// Who can trade with whom, and why not.

import type { PageProps } from "./page.ts";

export default function Credit(_: PageProps) {
  return <p>Credit</p>;
}
