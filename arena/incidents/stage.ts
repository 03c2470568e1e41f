// Where incidents happen: a world, the beginning of the episode in it, and who may take part. An incident draws everything from
// streams of its own, so incidents don't change one another.

import type { ReadonlyOrder } from "../../engine/embedded/read-only.ts";
import { BUY, SELL, type Side } from "../../protocol/sides.ts";
import { MINUTE_MS } from "../../protocol/time-units.ts";
import type { TradedContract } from "../../sim/personas/traded-contract.ts";
import { mayTrade } from "../../sim/population/traders.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import type { World } from "../world/world.ts";
import { Truth } from "./truth.ts";

interface StageOptions {
  readonly world: World;
  readonly seed: number;
  /** Market time at which the agent begins, in milliseconds since the epoch. */
  readonly start: number;
  /** The agent's. */
  readonly userId: string;
  readonly entityId: string | null;
}

/** `answer`: the request reaches the market, and its answer is lost. `request`: it does not reach the market. */
export type Loss = "request" | "answer";

interface QuotedContract {
  readonly contract: TradedContract;
  /** The middle of its book, or the forecast of its value if a side is empty; whole cents/MWh. */
  readonly middle: number;
}

interface Order {
  readonly contractId: string;
  readonly side: Side;
  /** cents/MWh */
  readonly price: number;
  readonly megawatts: number;
}

const SECOND_MS = 1_000;

export class Stage {
  readonly world: World;
  readonly truth = new Truth();
  /** Of the agent's next orders, oldest first. */
  readonly losses: Loss[] = [];
  readonly userId: string;
  readonly entityId: string | null;
  readonly #random: SeededRandom;
  readonly #start: number;
  #requests = 0;

  constructor({ world, seed, start, userId, entityId }: StageOptions) {
    this.world = world;
    this.userId = userId;
    this.entityId = entityId;
    this.#random = new SeededRandom(seed).fork("incidents");
    this.#start = start;
  }

  random(kind: string): SeededRandom {
    return this.#random.fork(kind);
  }

  /** `minutes`: after the beginning of the episode; negative: before it. Rounded to whole seconds. */
  at(minutes: number, run: () => void): void {
    const time = this.#start + Math.round(minutes * MINUTE_MS / SECOND_MS) * SECOND_MS;
    this.world.script.at(Math.max(time, this.world.now), run);
  }

  /** `seconds`: from now. */
  after(seconds: number, run: () => void): void {
    this.world.script.at(this.world.now + seconds * SECOND_MS, run);
  }

  /** Users who may trade and see the market, but those of the agent's company and those as whom personas trade. */
  get people(): readonly string[] {
    const { definition, personaUserIds } = this.world;
    return definition.users.filter((user) =>
      mayTrade(user) && user.permissions.includes("Market.View") && user.entityId !== this.entityId &&
      !personaUserIds.has(user.id)
    ).map(({ id }) => id);
  }

  /** People of other companies than those of some users. */
  peopleBeside(userIds: readonly string[]): string[] {
    const companies = new Set(userIds.map((id) => this.companyOf(id)));
    return this.people.filter((id) => !companies.has(this.companyOf(id)));
  }

  /** Throws RangeError if there is no such user, or if the user has no company. */
  companyOf(userId: string): string {
    const entityId = this.world.definition.users.find(({ id }) => id === userId)?.entityId;
    if (entityId == null) throw new RangeError(`incidents: the market has no user "${userId}" with a company`);
    return entityId;
  }

  /** Draws a contract of some products whose delivery has not begun, if possible one with bids and asks. */
  contractOf(random: SeededRandom, products: readonly string[]): QuotedContract {
    const { world } = this;
    const open = world.contracts.filter(({ productId, deliveryStart }) =>
      products.includes(productId) && deliveryStart > world.now
    );
    const quoted = open.filter(({ id }) => this.#middleOf(id) !== null);
    const contract = pick(random, quoted.length > 0 ? quoted : open);
    return { contract, middle: this.#middleOf(contract.id) ?? Math.round(world.forecastOf(contract)) };
  }

  /** Throws RangeError if it is refused, or if the market is halted. */
  place(userId: string, terms: Order): ReadonlyOrder {
    const order = this.tryToPlace(userId, terms);
    if (order === null) {
      throw new RangeError(`incidents: the market refused an order of ${userId} in ${terms.contractId}`);
    }
    return order;
  }

  /** Null if it is refused, or if the market is halted. */
  tryToPlace(userId: string, { contractId, side, price, megawatts }: Order): ReadonlyOrder | null {
    return this.world.place(userId, contractId, side, price, megawatts);
  }

  isOpen({ key }: ReadonlyOrder): boolean {
    return this.world.engine.state.openOrders.get(key) !== undefined;
  }

  /** Cancels what is open of an order. */
  withdraw(order: ReadonlyOrder): void {
    if (this.isOpen(order)) this.world.withdraw(order);
  }

  /** Sends any other request. Returns its result. Throws RangeError if it is refused. */
  act(userId: string, action: string, payload: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const operationId = `incident-${this.#requests += 1}`;
    const { response } = this.world.execute({ userId, operationId, action, payload });
    if (response?.status !== "ok") throw new RangeError(`incidents: ${action} of ${userId}: ${response?.message}`);
    return JSON.parse(response.result ?? "{}");
  }

  #middleOf(contractId: string): number | null {
    const book = this.world.engine.state.contracts.get(contractId)?.book;
    const [bid = null, ask = null] = [book?.bestPrice(BUY), book?.bestPrice(SELL)];
    return bid === null || ask === null ? null : Math.floor((bid + ask) / 2);
  }
}

/** One of several, each with the same chance. Throws RangeError if there is none. */
export function pick<Item>(random: SeededRandom, items: readonly Item[]): Item {
  const item = items[random.integer(0, Math.max(0, items.length - 1))];
  if (item === undefined) throw new RangeError("incidents: there is nobody, or no contract, to draw");
  return item;
}

/** All of them, in an order drawn at random. */
export function shuffled<Item>(random: SeededRandom, items: readonly Item[]): Item[] {
  const left = [...items];
  const drawn: Item[] = [];
  while (left.length > 0) drawn.push(...left.splice(random.integer(0, left.length - 1), 1));
  return drawn;
}
