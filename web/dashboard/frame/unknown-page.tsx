// What stands in place of a page if the address names none: a link may be old or mistyped.

import { EmptyState } from "../../components/notices.tsx";
import { PageHead } from "../pages/page-head.tsx";
import { address } from "../pages/page.ts";

export function UnknownPage() {
  return (
    <div class="page">
      <PageHead title="No such page" />
      <EmptyState title="The dashboard has no page at this address">
        <p>
          The link may be old, or mistyped: <code class="name">{location.hash}</code>
        </p>
        <p>
          <a href={address("market")}>Go to the market</a>
        </p>
      </EmptyState>
    </div>
  );
}
