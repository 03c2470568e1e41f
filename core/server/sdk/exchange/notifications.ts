// The notifications of a subscription.

import { SUBSCRIPTION_ID_META_KEY } from "@modelcontextprotocol/server";
import { RESOURCE_LIST } from "../../../subscriptions/resource-topics.ts";

/**
 * The JSON-RPC notification that a topic has changed. `subscriptionId` is the id of the subscriptions/listen; older protocols
 * have none.
 */
export function changeNotification(key: string, subscriptionId?: string | number): object {
  const meta = subscriptionId === undefined ? null : { _meta: { [SUBSCRIPTION_ID_META_KEY]: subscriptionId } };
  if (key === RESOURCE_LIST) {
    return { jsonrpc: "2.0", method: "notifications/resources/list_changed", ...(meta && { params: meta }) };
  }
  return { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: key, ...meta } };
}
