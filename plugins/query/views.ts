// The views of the query pack's tools.

import { defineView } from "../toolkit/view-resource.ts";

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

export default [orderBookView, positionsView];
