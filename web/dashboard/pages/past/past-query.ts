// What the page of the past is asked for, and how that stands in its address, so that it can be kept and shared.

/** Ids are as the market has them; empty: any. */
export interface PastFilters {
  /** Such as `orderFilled`. */
  readonly type: string;
  readonly entity: string;
  readonly user: string;
  readonly contract: string;
}

export interface PastQuery extends PastFilters {
  /** Milliseconds since 1970; `to` is not included. */
  readonly from: number;
  readonly to: number;
}

export const FILTERS = ["type", "entity", "user", "contract"] as const satisfies readonly (keyof PastFilters)[];

export const NO_FILTERS: PastFilters = { type: "", entity: "", user: "", contract: "" };

/** For the address of the page, and for the server. */
export function parametersOf(query: PastQuery): string {
  const parameters = new URLSearchParams({ from: isoOf(query.from), to: isoOf(query.to) });
  for (const name of FILTERS) if (query[name] !== "") parameters.set(name, query[name]);
  return parameters.toString();
}

/** What follows the page's name in its address. Times that are missing or wrong count as the `length` before `now`. */
export function queryOf(argument: string, now: number, length: number): PastQuery {
  const parameters = new URLSearchParams(argument);
  const [from, to] = ["from", "to"].map((name) => Date.parse(parameters.get(name) ?? ""));
  const isRange = from! < to!;
  const filters = Object.fromEntries(
    FILTERS.map((name) => [name, parameters.get(name) ?? ""]),
  ) as unknown as PastFilters;
  return { ...filters, from: isRange ? from! : now - length, to: isRange ? to! : now };
}

export function isoOf(time: number): string {
  return new Date(time).toISOString();
}
