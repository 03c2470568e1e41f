// Turns the actions of one persona into requests to the engine.

import type { EngineClient } from "../../protocol/client/engine-client.ts";
import type { RequestOutcome } from "../../protocol/client/pending-requests.ts";
import { megawattsOf } from "../../engine/market/units.ts";
import type { PersonaAction } from "../personas/persona.ts";
import type { PersonaOrders } from "./persona-orders.ts";

export class PersonaRequests {
  #count = 0;

  /** `idPrefix`: what the ids of the persona's requests begin with. */
  constructor(
    private readonly client: EngineClient,
    private readonly orders: PersonaOrders,
    private readonly idPrefix: string,
  ) {}

  /** False: it can't be sent now, and `settle` is not called. */
  send(action: PersonaAction, settle: (outcome: RequestOutcome) => void): boolean {
    const { client, orders } = this;
    if (action.kind === "submit") {
      const { contract, side, price, reference } = action;
      const clientOrderId = orders.clientOrderId(reference);
      orders.submitted(reference);
      const order = { contractId: contract.id, side, price, quantity: megawattsOf(action.quantity), clientOrderId };
      return client.send("order.submit", order, { operationId: clientOrderId }, settle);
    }
    const orderId = orders.orderIdOf(action.reference);
    if (orderId === null) return false;
    if (action.kind === "cancel") return client.send("order.cancel", { orderId }, this.#nextIds(), settle);
    const change = { orderId, price: action.price, quantity: megawattsOf(action.quantity) };
    return client.send("order.modify", change, this.#nextIds(), settle);
  }

  cancel(orderId: string): Promise<RequestOutcome> {
    return this.client.request("order.cancel", { orderId }, this.#nextIds());
  }

  /** Differs from every clientOrderId, which has a number after the prefix. */
  #nextIds(): { operationId: string } {
    this.#count += 1;
    return { operationId: `${this.idPrefix}c${this.#count}` };
  }
}
