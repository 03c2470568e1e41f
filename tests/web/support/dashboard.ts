// The dashboard in a browser without a window: its state, which a test sets, and its own modules.

import { beforeEach } from "bun:test";
import type { Connection, Market } from "../../../web/contract/market.ts";
import type { SessionState } from "../../../web/contract/session.ts";
import type { Contact } from "../../../web/dashboard/live/stream.ts";
import { openBrowser } from "./browser.ts";
import { CONNECTION, MARKET, NOON, SESSION } from "./market.ts";
import { recordCharts } from "./recorded-chart.ts";

/** What differs from a page of control that is live, in a market that is open at NOON. */
export interface State {
  readonly connection: Partial<Connection> | null;
  readonly markets: readonly Partial<Market>[];
  readonly frozen: { reason: string | null; since: string | null } | null;
  readonly contact: Contact;
  readonly session: Partial<SessionState> | null;
  readonly newVersion: string | null;
  readonly connectProblem: { code: string; message: string; hint?: string } | null;
}

/** Call it at the top of a test file, and load what is tested with `import()` after it. Each test begins with all well. */
export async function openDashboard(path: "/" | "/control" = "/control") {
  const browser = openBrowser(path);
  const charts = recordCharts();
  const { market, applyUpdates } = await import("../../../web/dashboard/live/market-store.ts");
  const { contact } = await import("../../../web/dashboard/live/stream.ts");
  const { endReason, newVersion, session } = await import("../../../web/dashboard/live/session.ts");
  const { marketNow } = await import("../../../web/dashboard/live/market-clock.ts");
  const { connectProblem } = await import("../../../web/dashboard/live/liveness.ts");

  function inState(given: Partial<State>): void {
    contact.value = given.contact ?? { state: "live", since: 0 };
    market.isKnown.value = true;
    market.markets.value = (given.markets ?? [{}]).map((each) => ({ ...MARKET, ...each }));
    market.connection.value = given.connection === null ? null : { ...CONNECTION, ...given.connection };
    market.frozen.value = given.frozen ?? null;
    session.value = given.session === null ? null : { ...SESSION, ...given.session };
    newVersion.value = given.newVersion ?? null;
    connectProblem.value = given.connectProblem ?? null;
    endReason.value = null;
    marketNow.value = Date.parse(NOON);
  }

  beforeEach(() => {
    inState({});
    for (const name of Object.keys(browser.answers)) delete browser.answers[name];
    browser.sent.length = 0;
    browser.location.assigned.length = 0;
  });

  /** What the page has sent last: to where, the arguments, and the type of its idempotencyKey. */
  function lastSent(): [path: string, given: Record<string, unknown>, typeOfKey: string] {
    const { path, body } = browser.sent.at(-1)!;
    const { arguments: given = body } = body as { arguments?: Record<string, unknown> };
    const { idempotencyKey, ...rest } = given as Record<string, unknown>;
    return [path.replace("/dashboard/", ""), rest, typeof idempotencyKey];
  }

  return { ...browser, charts, market, applyUpdates, session, endReason, connectProblem, inState, lastSent };
}
