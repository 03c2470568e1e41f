// Whose credit a user may see and set.

import { describe, expect, test } from "bun:test";
import { checkEntityScope, checkOwnEntity } from "../../../plugins/toolkit/entity-scope.ts";
import type { ToolContext } from "../../../core/tools/context.ts";
import type { ToolError } from "../../../core/error.ts";
import { snapshotOf } from "../support/still-market.ts";

type Check = typeof checkOwnEntity;
type Acting = Pick<ToolContext, "pubsub" | "snapshot">;

const user = (entityId: string | null, ...permissions: string[]) => ({ entityId, permissions });
const snapshot = snapshotOf({
  "/ENTITY/north": { name: "North Wind" },
  "/ENTITY/south": { name: "South Solar" },
  "/USER/anna": user("north"),
  "/USER/sue": user("south", "Credit.View", "Credit.Manage"),
  "/USER/sid": user("south", "Credit.View"),
  "/USER/olga": user(null, "Scope.Global"),
});

function acting(entityId: string | null, capabilities: string[] = []): Acting {
  return { pubsub: { session: { userId: "anna", entityId, capabilities } }, snapshot } as unknown as Acting;
}

function errorOf(check: Check, entityId: string, as: Acting): ToolError | null {
  try {
    check(entityId, as);
    return null;
  } catch (error) {
    return error as ToolError;
  }
}

describe("credit of an entity", () => {
  const checks = [
    ["seen", checkEntityScope, "Credit.View for it: sue, sid."],
    ["set", checkOwnEntity, "Credit.Manage for it: sue."],
  ] as const;
  test.each(checks)(
    "may be %s by a user of that entity, and by nobody of another",
    (_what, check, holders) => {
      expect(errorOf(check, "north", acting("north"))).toBeNull();
      const error = errorOf(check, "south", acting("north"));
      expect(error).toMatchObject({ code: "forbidden" });
      expect(error?.message).toStartWith("User anna belongs to entity north; ");
      expect(error?.hint).toBe(
        "Give entityId north, or act as a user of the other entity: mkt_disconnect_pubsub, then mkt_connect_pubsub with " +
          `the userId. ${holders}`,
      );
    },
  );

  test("may be seen with Scope.Global, and not set", () => {
    const operator = acting(null, ["Scope.Global"]);
    expect(errorOf(checkEntityScope, "north", operator)).toBeNull();
    const error = errorOf(checkOwnEntity, "north", operator);
    expect(error?.message).toStartWith("User anna belongs to no entity; ");
    expect(error?.hint).toStartWith("Act as a user of the other entity: mkt_disconnect_pubsub");
  });

  test("a refusal says who may see every entity's, and what an unknown id probably meant", () => {
    const error = errorOf(checkEntityScope, "South Solar", acting("north"));
    expect(error?.message).toBe(
      'User anna belongs to entity north; seeing entity "South Solar" needs the permission Scope.Global. Held by olga. ' +
        'There is no entity "South Solar". Did you mean south?',
    );
  });

  test("is left to the engine while nobody is connected", () => {
    const nobody = { pubsub: { session: null }, snapshot } as unknown as Acting;
    expect([errorOf(checkEntityScope, "north", nobody), errorOf(checkOwnEntity, "north", nobody)]).toEqual([
      null,
      null,
    ]);
  });
});
