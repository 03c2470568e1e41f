// The mutation pack: connects to the market and changes it.

import { definePack } from "../../core/packs/pack.ts";
import connection from "./connection.ts";
import credit from "./credit.ts";
import flush from "./flush.ts";
import market from "./market.ts";
import orders from "./orders.ts";

export default definePack({
  name: "mutation",
  description: "Act on the market: connect, send and cancel orders, halt and resume, set credit and documents, flush",
  advice: {
    connectFirst: "Call mkt_connect_pubsub first.",
    connectAgain: "Call mkt_connect_pubsub again.",
    disconnectFirst: "Call mkt_disconnect_pubsub first, then connect as the other user.",
    connectWithPermission: (permission) =>
      `Connect as a user who holds ${permission}: mkt_disconnect_pubsub, then mkt_connect_pubsub with that userId.`,
  },
  tools: [...connection, ...orders, ...market, ...credit, ...flush],
});
