// The query pack: reads the market and the server. It changes nothing.

import { definePack } from "../../core/packs/pack.ts";
import { defineView } from "../toolkit/view-resource.ts";
import audit from "./audit.ts";
import credit from "./credit.ts";
import documentResources from "./document-resources.ts";
import entities from "./entities.ts";
import findModules from "./find-modules.ts";
import fills from "./fills.ts";
import market from "./market.ts";
import marketResources from "./market-resources.ts";
import moduleResources from "./module-resources.ts";
import modules from "./modules.ts";
import orderResources from "./order-resources.ts";
import orders from "./orders.ts";
import positionResources from "./position-resources.ts";
import products from "./products.ts";
import { creditReview } from "./prompts-credit-review.ts";
import { explainOrder } from "./prompts-explain-order.ts";
import { investigateOrder } from "./prompts-investigate-order.ts";
import { morningCheck } from "./prompts-morning-check.ts";
import users from "./users.ts";
import utility from "./utility.ts";

const orderBookView = defineView({
  name: "order-book",
  title: "Order book with depth",
  description: "Shows the best price levels of a contract live, with the depth of each side.",
});

const positionsView = defineView({
  name: "positions",
  title: "Positions of an entity",
  description: "Shows the positions of an entity by contract live, with its profit.",
});

export default definePack({
  name: "query",
  description: "Read the market: state, book, orders, fills, entities, users, products, credit, modules, audit log",
  advice: {
    waitForReconnect: "Watch mkt_connection_status and repeat the call once pubsub is connected.",
    unknownUser: "Pass the userId of a registered user: mkt_list_users lists them.",
    unreadableMessages:
      "Check that the engine speaks the protocol of this version; mkt_connection_status counts what can't be read.",
  },
  tools: [
    ...utility,
    ...market,
    ...orders,
    ...fills,
    ...entities,
    ...users,
    ...products,
    ...credit,
    ...modules,
    ...findModules,
    ...audit,
  ],
  resources: [
    ...marketResources,
    ...positionResources,
    ...orderResources,
    ...moduleResources,
    ...documentResources,
    orderBookView,
    positionsView,
  ],
  prompts: [morningCheck, explainOrder, investigateOrder, creditReview],
});
