// Checks a market definition: first each value by its schema, then the references between its parts. Every fault starts with
// its path, as in `contracts[3].productId: no product with id "X"`. Each stage reports all its faults. The second stage
// needs valid values, so it runs only if the first found no fault.

import type { z } from "zod";
import { faultOf, valueAt } from "../../common/schema-fault.ts";
import { HOUR_MS } from "../../protocol/time-units.ts";
import { MINUTES_PER_DAY, minutesOfSession } from "../market/session-schedule.ts";
import { type MarketDefinition, marketDefinition } from "./market-definition.ts";

export type CheckedDefinition =
  | { readonly ok: true; readonly definition: MarketDefinition }
  | { readonly ok: false; readonly faults: readonly string[] };

/** Limits a product to some hundreds of contracts. */
const MAX_DAYS_OF_HOURS = 14;
const TYPES_WITH_PEAK_HOURS: readonly string[] = ["week", "month", "quarter", "year"];

type Limits = MarketDefinition["credit"][number]["limits"];

/** Parses JSON of unknown shape into a definition with all defaults filled in. */
export function checkDefinition(value: unknown): CheckedDefinition {
  const parsed = marketDefinition.safeParse(value);
  if (!parsed.success) return { ok: false, faults: parsed.error.issues.map((issue) => describeIssue(issue, value)) };
  const faults = new ReferenceCheck(parsed.data).faults();
  return faults.length > 0 ? { ok: false, faults } : { ok: true, definition: parsed.data };
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const path = issue.path.reduce<string>(
    (text, key) => typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`,
    "",
  );
  return `${path === "" ? "definition" : path}: ${faultOf(issue, valueAt(value, issue.path))}`;
}

class ReferenceCheck {
  readonly #definition: MarketDefinition;
  readonly #faults: string[] = [];
  readonly #contractIds: ReadonlySet<string>;
  readonly #entityIds: ReadonlySet<string>;

  constructor(definition: MarketDefinition) {
    this.#definition = definition;
    this.#contractIds = new Set(definition.contracts.map(({ id }) => id));
    this.#entityIds = new Set(definition.entities.map(({ id }) => id));
  }

  faults(): string[] {
    this.#markets();
    this.#products();
    this.#contracts();
    this.#entitiesAndUsers();
    this.#credit();
    return this.#faults;
  }

  #markets(): void {
    const { markets } = this.#definition;
    this.#unique("markets", markets, "id", "code");
    markets.forEach((market, index) => {
      const path = `markets[${index}]`;
      if (!isTimezone(market.timezone)) this.#fault(`${path}.timezone`, `unknown time zone "${market.timezone}"`);
      this.#distinct(`${path}.nodes`, market.nodes);
      if (market.schedule === null) return;
      const { days, preopen, open, close } = market.schedule;
      this.#distinct(`${path}.schedule.days`, days);
      if (minutesOfSession(market.schedule) < MINUTES_PER_DAY) return;
      const times = `preopen ${preopen}, open ${open}, close ${close}`;
      this.#fault(
        `${path}.schedule`,
        `${times} make a session of 24 hours or more; leave time between close and the next preopen`,
      );
    });
  }

  #products(): void {
    const { markets, products } = this.#definition;
    const marketById = new Map(markets.map((market) => [market.id, market]));
    this.#unique("products", products, "id", "code");
    products.forEach((product, index) => {
      const path = `products[${index}]`;
      const market = marketById.get(product.marketId);
      if (market === undefined) this.#fault(`${path}.marketId`, `no market with id "${product.marketId}"`);
      else if (!market.nodes.includes(product.node)) {
        this.#fault(`${path}.node`, `market "${market.id}" has no node "${product.node}"`);
      }
      if (product.minimumPrice > product.maximumPrice) {
        this.#fault(`${path}.minimumPrice`, `${product.minimumPrice} is above maximumPrice, ${product.maximumPrice}`);
      }
      this.#listing(`${path}.listing`, product);
    });
  }

  #listing(path: string, { type, listing }: MarketDefinition["products"][number]): void {
    if (listing === undefined) return;
    if (type === "hour" && listing.ahead > MAX_DAYS_OF_HOURS) {
      this.#fault(`${path}.ahead`, `${listing.ahead} is more than ${MAX_DAYS_OF_HOURS} days, the most for type hour`);
    }
    if (listing.hours === "peak" && !TYPES_WITH_PEAK_HOURS.includes(type)) {
      this.#fault(`${path}.hours`, `type ${type} has no peak hours; use type peak for the peak of a day`);
    }
  }

  #contracts(): void {
    const { products, contracts } = this.#definition;
    if (contracts.length === 0 && !products.some(({ listing }) => listing !== undefined)) {
      this.#fault("contracts", "is empty, and no product has a listing; add contracts or a listing");
    }
    const productIds = new Set(products.map(({ id }) => id));
    this.#unique("contracts", contracts, "id", "code");
    contracts.forEach((contract, index) => {
      const path = `contracts[${index}]`;
      if (!productIds.has(contract.productId)) {
        this.#fault(`${path}.productId`, `no product with id "${contract.productId}"`);
      }
      const hours = (Date.parse(contract.deliveryEnd) - Date.parse(contract.deliveryStart)) / HOUR_MS;
      if (hours <= 0) this.#fault(`${path}.deliveryEnd`, "is not after deliveryStart");
      else if (contract.hours > hours) {
        this.#fault(
          `${path}.hours`,
          `${contract.hours} is more than the ${hours} hours from deliveryStart to deliveryEnd`,
        );
      }
    });
  }

  #entitiesAndUsers(): void {
    const { entities, users } = this.#definition;
    this.#unique("entities", entities, "id", "code");
    this.#unique("users", users, "id");
    users.forEach((user, index) => {
      if (user.entityId !== null) this.#entity(`users[${index}].entityId`, user.entityId);
      this.#distinct(`users[${index}].permissions`, user.permissions);
    });
  }

  #credit(): void {
    const { credit: credits, creditDefaults } = this.#definition;
    credits.forEach((credit, index) => {
      const path = `credit[${index}]`;
      this.#entity(`${path}.entityId`, credit.entityId);
      this.#entity(`${path}.counterpartyId`, credit.counterpartyId);
      if (credit.entityId === credit.counterpartyId) this.#fault(`${path}.counterpartyId`, "is the same as entityId");
      this.#limits(`${path}.limits`, credit.limits);
    });
    const pairs = credits.map(({ entityId, counterpartyId }) => JSON.stringify([entityId, counterpartyId]));
    for (const { index, first } of repetitionsIn(pairs)) {
      this.#fault(`credit[${index}]`, `has the same entityId and counterpartyId as credit[${first}]`);
    }
    this.#limits("creditDefaults.limits", creditDefaults?.limits ?? []);
  }

  #limits(path: string, limits: Limits): void {
    limits.forEach(({ scope, contractId }, index) => {
      const here = `${path}[${index}]`;
      if (scope === "per_contract" && contractId === undefined) {
        this.#fault(`${here}.contractId`, "is required if scope is per_contract");
      }
      if (scope === "total" && contractId !== undefined) {
        this.#fault(`${here}.contractId`, "is only allowed if scope is per_contract");
      }
      if (contractId !== undefined && !this.#contractIds.has(contractId)) {
        this.#fault(`${here}.contractId`, `no contract with id "${contractId}"`);
      }
    });
    const keys = limits.map(({ limitType, scope, contractId }) => JSON.stringify([limitType, scope, contractId]));
    for (const { index, first } of repetitionsIn(keys)) {
      this.#fault(`${path}[${index}]`, `has the same limitType, scope and contractId as ${path}[${first}]`);
    }
  }

  #entity(path: string, id: string): void {
    if (!this.#entityIds.has(id)) this.#fault(path, `no entity with id "${id}"`);
  }

  /** Checks that no two elements of a list have the same value of one of these properties. */
  #unique<Property extends string>(
    list: string,
    elements: readonly Readonly<Record<Property, string>>[],
    ...properties: Property[]
  ): void {
    for (const property of properties) {
      for (const { value, index, first } of repetitionsIn(elements.map((element) => element[property]))) {
        this.#fault(`${list}[${index}].${property}`, `"${value}" is already used by ${list}[${first}]`);
      }
    }
  }

  /** Checks that a list of plain values has no duplicates. */
  #distinct(path: string, values: readonly string[]): void {
    for (const { value, index, first } of repetitionsIn(values)) {
      this.#fault(`${path}[${index}]`, `"${value}" repeats ${path}[${first}]`);
    }
  }

  #fault(path: string, message: string): void {
    this.#faults.push(`${path}: ${message}`);
  }
}

/** Each value that occurred before in its list; `first` is the index of its first occurrence. */
function repetitionsIn(values: readonly string[]) {
  const firsts = new Map<string, number>();
  return values.flatMap((value, index) => {
    const first = firsts.get(value);
    if (first !== undefined) return [{ value, index, first }];
    firsts.set(value, index);
    return [];
  });
}

function isTimezone(name: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
