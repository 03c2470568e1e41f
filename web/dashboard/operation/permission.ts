// Why a person can't do something now. The server checks it all again; here it is only said before.

import { market } from "../live/market-store.ts";
import { isControl } from "../live/session.ts";
import { contact } from "../live/stream.ts";

interface Needs {
  /** Of the acting user, such as `Market.Operate`. */
  readonly permission?: string;
  /** Whether the server must be connected to the market. */
  readonly connection?: boolean;
  readonly allowedWhenFrozen?: boolean;
}

/** Null: it can be done. Read while drawing, so the page is drawn again when it changes. */
export function whyNot({ permission, connection = false, allowedWhenFrozen = false }: Needs): string | null {
  const { status = "disconnected", userId = null, permissions = [] } = market.connection.value ?? {};
  if (!isControl.value) return "Only in Control";
  if (contact.value.state === "reconnecting") return "No contact with the server";
  if (market.frozen.value !== null && !allowedWhenFrozen) return "The server is frozen";
  const isNeeded = connection || permission !== undefined;
  if (isNeeded && status !== "connected") return "Not connected to the market";
  if (permission !== undefined && !permissions.includes(permission)) return `${userId} lacks ${permission}`;
  return null;
}
