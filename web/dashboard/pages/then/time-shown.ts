// The time that a page shows, in its address; null: the page is live. Whoever leaves the page comes back to the live one.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { inAddress } from "../../address/address-state.ts";
import { changedQuery, pageOf, withQuery } from "../../address/address-text.ts";
import { marketNow } from "../../live/market-clock.ts";
import { isoOf } from "../past/past-query.ts";
import { address } from "../page.ts";

/** Milliseconds since 1970. */
type At = number | null;

/** All pages of contracts share one time, so neighbours are shown at the same. */
type PageName = "market" | "contract/";

export class TimeShown {
  readonly #kept;
  /** While the slider is moved, which is too often for an address. */
  readonly #moved = signal<At>(null);

  constructor(readonly page: PageName) {
    this.#kept = inAddress<At>(page, {
      read: (parameters) => {
        const at = Date.parse(parameters.get("at") ?? "");
        return Number.isNaN(at) ? null : at;
      },
      write: (at) => ({ at: at === null ? "" : isoOf(at) }),
    });
  }

  get value(): At {
    return this.#moved.value ?? this.#kept.value;
  }

  move(at: At): void {
    this.#moved.value = at;
  }

  keep(at: At): void {
    this.#moved.value = null;
    // The page of the market is also shown by an address that names none.
    if (this.page === "market" && isShown(this.page) && at !== null) history.replaceState(null, "", address("market"));
    this.#kept.value = at;
  }
}

export const marketTime = new TimeShown("market");
export const contractTime = new TimeShown("contract/");

function isShown(page: PageName): boolean {
  const shown = pageOf(location.hash);
  return shown === page || (page === "market" && shown === "");
}

/** The time that is shown while the component is. A time that has not come is none. */
export function useTimeShown(shown: TimeShown): At {
  useEffect(() => {
    const at = shown.value;
    if (at !== null && at >= (marketNow.peek() ?? Infinity)) shown.keep(null);
    return () => {
      shown.move(null);
      if (!isShown(shown.page)) shown.keep(null);
    };
  }, []);
  return shown.value;
}

/** Whether the page that is shown is not live. */
export function isInPast(): boolean {
  return [marketTime, contractTime].some((each) => isShown(each.page) && each.value !== null);
}

export function backToLive(): void {
  for (const each of [marketTime, contractTime]) each.keep(null);
}

/** The address of a contract at a time. */
export function contractAddressAt(contractId: string, at: number): string {
  return withQuery(address("contract", contractId), changedQuery("", { at: isoOf(at) }));
}
