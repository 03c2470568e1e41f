// Every module of the engine, as the states of a snapshot. Reading changes nothing.

import type { AnyModuleData, ModuleData, ModuleType } from "../../../protocol/modules/registry.ts";
import { EVERYONE, type PublishedState } from "../api/messages.ts";
import { audienceOfModule } from "../api/visibility.ts";
import type { EngineState } from "../state/engine-state.ts";
import { creditModules, entityModule, userModule } from "./credit-modules.ts";
import { contractModule, engineModule, marketModule, productModule, queueModule } from "./market-modules.ts";
import { orderModule } from "./order-modules.ts";

/** The modules of each type, parents before children. A new type without a row does not compile. */
const MODULES_OF: { readonly [type in ModuleType]: (state: EngineState, now: number) => Iterable<ModuleData<type>> } = {
  MARKET: ({ markets }, now) => markets.values().map((market) => marketModule(market, now)),
  PRODUCT: ({ products }) => products.values().map(productModule),
  CONTRACT: ({ contracts }) => contracts.values().map(contractModule),
  ENTITY: ({ parties }) => parties.values().map(entityModule),
  USER: ({ users }) => users.values().map(userModule),
  CREDIT: creditModules,
  ENGINE: ({ contracts }) => contracts.values().map(engineModule),
  QUEUE: ({ contracts }) => contracts.values().map(queueModule),
  ORDER: ({ orders }) => orders.values().map(orderModule),
  TRADE: ({ trades }) => trades,
  FILL: ({ fills }) => fills.values(),
};

/** In the order in which their modules are sent. */
export const PUBLISHED_TYPES = Object.keys(MODULES_OF) as ModuleType[];

export function publishedState(type: ModuleType, state: AnyModuleData): PublishedState {
  const { id } = state;
  const text = JSON.stringify({ statePath: `/${type}/${id}`, state });
  return { kind: "state", type, id, isRemoved: false, text, audience: audienceOfModule(type, state) };
}

/** A removal shows only the module's id, so everyone sees it. */
export function publishedRemoval(type: ModuleType, id: string): PublishedState {
  const text = JSON.stringify({ statePath: `/${type}/${id}`, state: null });
  return { kind: "state", type, id, isRemoved: true, text, audience: EVERYONE };
}

/** Every module, parents before children. `now`: milliseconds since the epoch. */
export function* snapshotOf(state: EngineState, now: number): Generator<PublishedState, void, undefined> {
  for (const type of PUBLISHED_TYPES) {
    for (const module of MODULES_OF[type](state, now)) yield publishedState(type, module);
  }
}
