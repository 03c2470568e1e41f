// Whose permissions a request over HTTP is checked for.

import type { Configuration } from "../config/configuration.ts";
import type { PubSub } from "./pubsub.ts";

/** The connected user, else the one that is configured. */
export function actingUserId(
  { pubsub, configuration }: { readonly pubsub: PubSub; readonly configuration: Configuration },
): string {
  return pubsub.session?.userId ?? configuration.backend.userId;
}
