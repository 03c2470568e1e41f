// What the acting user sees of entities and users: all of them with Market.View, otherwise the own entity and its users. The
// backend gives no others. These functions say so, so that a part is never taken for the whole.

import { actingUserId } from "../../core/backend/acting-user.ts";
import { ToolError } from "../../core/error.ts";
import { permissionHint } from "../../core/guardrails/requirements.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import { actingPermissions } from "../toolkit/acting-permissions.ts";
import { partOf, unseen } from "../toolkit/entity-scope.ts";
import { itemMeant } from "../toolkit/lookup.ts";

type Party = ModuleData<"ENTITY"> | ModuleData<"USER">;

/**
 * A sentence, if the backend gave only a part of all entities or users. Cost: a request for the users, if there is no
 * connection and all of `given` belong to one entity.
 */
async function partSentence(given: readonly Party[], context: ToolContext): Promise<string | null> {
  if (new Set(given.map((party) => "entityId" in party ? party.entityId : party.id)).size > 1) return null;
  const permissions = await actingPermissions(context);
  return permissions.includes("Market.View") ? null : partOf(actingUserId(context));
}

/** The note of a list, if it is only a part. */
export async function partNote(given: readonly Party[], context: ToolContext): Promise<{ readonly note?: string }> {
  const note = await partSentence(given, context);
  return note === null ? {} : { note };
}

/** As itemMeant, with the error of unknownParty. */
export async function partyMeant<Item extends Party>(
  type: "ENTITY" | "USER",
  given: readonly Item[],
  id: string,
  context: ToolContext,
): Promise<Item> {
  try {
    return itemMeant(type, given, id);
  } catch (error) {
    throw error instanceof ToolError ? await unknownParty(error, given, context) : error;
  }
}

/** The error for a party that is not among those given. It says if there may be others, which the acting user can't see. */
async function unknownParty(
  error: ToolError,
  given: readonly Party[],
  context: ToolContext,
): Promise<ToolError> {
  const part = await partSentence(given, context);
  return part === null ? error : unseen(error, part, permissionHint("Market.View", context));
}
