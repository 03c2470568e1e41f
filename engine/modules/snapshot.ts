// Every module of the engine, as the states of a snapshot. Reading changes nothing.

import type { AnyModuleData, ModuleData, ModuleType } from "../../protocol/modules/registry.ts";
import { PublishedState } from "../api/messages.ts";
import type { EngineUser } from "../api/market-engine.ts";
import { audienceOfModule, maySee, maySeeAll } from "../api/visibility.ts";
import { fillsOf } from "../state/fills.ts";
import type { EngineState } from "../state/engine-state.ts";
import { jsonOf } from "../text/text-writer.ts";
import { creditModules, entityModule, userModule } from "./credit-modules.ts";
import { contractModule, engineModule, marketModule, productModule, queueModule } from "./market-modules.ts";
import { fillModule, orderModule, tradeModule } from "./order-modules.ts";

type ModulesOf<Type extends ModuleType> = (
  state: EngineState,
  now: number,
  /** Leaves out modules that don't name this entity, before they are made; null: makes all. */
  ofEntity: string | null,
) => Iterable<ModuleData<Type>>;

/** The modules of each type, parents before children. A new type without a row does not compile. */
const MODULES_OF: { readonly [type in ModuleType]: ModulesOf<type> } = {
  MARKET: ({ markets }, now) => markets.values().map((market) => marketModule(market, now)),
  PRODUCT: ({ products }) => products.values().map(productModule),
  CONTRACT: ({ contracts }) => contracts.values().map(contractModule),
  ENTITY: ({ parties }, _now, ofEntity) =>
    parties.values().filter(({ definition }) => ofEntity === null || definition.id === ofEntity).map(entityModule),
  USER: ({ users }, _now, ofEntity) =>
    users.values().filter(({ entity }) => ofEntity === null || entity?.definition.id === ofEntity).map(userModule),
  CREDIT: (state, _now, ofEntity) => creditModules(state, ofEntity),
  ENGINE: ({ contracts }) => contracts.values().map(engineModule),
  QUEUE: ({ contracts }) => contracts.values().map(queueModule),
  ORDER: ({ orders }, _now, ofEntity) =>
    Iterator.from(orders).filter(({ entity }) => ofEntity === null || entity.definition.id === ofEntity).map(
      orderModule,
    ),
  TRADE: ({ trades }, _now, ofEntity) =>
    Iterator.from(trades).filter(({ buyer, seller }) =>
      ofEntity === null || buyer.definition.id === ofEntity || seller.definition.id === ofEntity
    ).map(tradeModule),
  FILL: ({ orders }, _now, ofEntity) =>
    fillsOf(Iterator.from(orders).filter(({ entity }) => ofEntity === null || entity.definition.id === ofEntity))
      .values().map(({ trade, order }) => fillModule(trade, order)),
};

/** In the order in which their modules are sent. */
const PUBLISHED_TYPES = Object.keys(MODULES_OF) as ModuleType[];

export function publishedState(type: ModuleType, state: AnyModuleData): PublishedState {
  const text = stateText(type, state);
  return new PublishedState(type, state.id, "set", audienceOfModule(type, state), { text });
}

/** A state message of the protocol. */
export function stateText(type: ModuleType, state: AnyModuleData): string {
  return jsonOf({ statePath: `/${type}/${state.id}`, state });
}

/**
 * Every module, or those that `viewer` may see, parents before children. `now`: milliseconds since the epoch.
 *
 * Cost: a pass over all orders, fills, trades and entities, and making the modules that the viewer sees. There may be far more
 * pairs of entities than that.
 */
export function* snapshotOf(
  state: EngineState,
  now: number,
  viewer: Omit<EngineUser, "id"> | null,
): Generator<PublishedState, void, undefined> {
  for (const type of PUBLISHED_TYPES) {
    const seesAll = viewer === null || maySeeAll(viewer, type);
    const ofEntity = seesAll ? null : viewer.entityId;
    if (!seesAll && ofEntity === null) continue;
    for (const module of MODULES_OF[type](state, now, ofEntity)) {
      const published = publishedState(type, module);
      if (viewer === null || maySee(viewer, published.audience)) yield published;
    }
  }
}
