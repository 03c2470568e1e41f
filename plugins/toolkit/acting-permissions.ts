// What the acting user may do, for tools that show more to some users.

import { actingUserId } from "../../core/backend/acting-user.ts";
import type { ToolContext } from "../../core/tools/context.ts";

/** From the session; without one, the backend's list of users is asked for. Throws the errors of that request. */
export async function actingPermissions(context: ToolContext): Promise<readonly string[]> {
  const { backend, pubsub: { session }, signal } = context;
  if (session !== null) return session.capabilities;
  const userId = actingUserId(context);
  return (await backend.users(signal)).find(({ id }) => id === userId)?.permissions ?? [];
}
