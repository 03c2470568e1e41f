// The user whose permissions an HTTP request is checked for.

import type { Configuration } from "../config/configuration.ts";
import type { PubSub } from "./pubsub.ts";

/** The connected user; the configured one if nobody is connected. */
export function actingUserId(
  { pubsub, configuration }: { readonly pubsub: PubSub; readonly configuration: Configuration },
): string {
  return pubsub.session?.userId ?? configuration.backend.userId;
}
