import { describe, expect, test } from "bun:test";
import { audienceOfModule } from "../../../../engine/api/visibility.ts";
import { EVERYONE, PublishedEvent, PublishedState } from "../../../../engine/api/messages.ts";
import { UserDirectory } from "../../../../engine/server/publication/user-directory.ts";

const entity = (id: string, creditStatus = "ok") => ({ id, name: id, code: id, userIds: [`${id}-1`], creditStatus });
const user = (entityId: string | null, number = 1, connected = false) => {
  const id = `${entityId ?? "nobody"}-${number}`;
  return { id, name: id, entityId, permissions: ["Market.View"], connected };
};

function set(type: "ENTITY" | "USER" | "MARKET", module: { readonly id: string }): PublishedState {
  const text = JSON.stringify({ statePath: `/${type}/${module.id}`, state: module });
  return new PublishedState(type, module.id, "set", audienceOfModule(type, module), { text });
}

function removed(type: "ENTITY" | "USER", id: string): PublishedState {
  return new PublishedState(type, id, "removed", EVERYONE, { text: `{"statePath":"/${type}/${id}","state":null}` });
}

function filled(): UserDirectory {
  const directory = new UserDirectory();
  directory.apply([
    set("ENTITY", entity("A")),
    set("USER", user("A")),
    set("MARKET", { id: "M" }),
    new PublishedEvent(1, EVERYONE, { text: "no JSON" }),
    set("ENTITY", entity("B")),
    set("USER", user("B")),
    set("USER", user(null)),
  ]);
  return directory;
}

const idsOf = (modules: readonly { readonly id: string }[]) => modules.map(({ id }) => id);

describe("the directory of entities and users", () => {
  test("has all of both kinds, and nothing of other modules or of events", () => {
    const directory = filled();
    expect(directory.entities()).toEqual([entity("A"), entity("B")] as never);
    expect(directory.users()).toEqual([user("A"), user("B"), user(null)] as never);
  });

  test("follows later states and removals", () => {
    const directory = filled();
    directory.apply([
      set("ENTITY", entity("A", "none")),
      set("USER", user("B", 1, true)),
      removed("USER", "A-1"),
      removed("ENTITY", "B"),
      removed("ENTITY", "A-1"),
    ]);
    expect(directory.entities()).toEqual([entity("A", "none")] as never);
    expect(directory.users()).toEqual([user("B", 1, true), user(null)] as never);
    directory.apply([set("ENTITY", entity("B"))]);
    expect(idsOf(directory.entities())).toEqual(["A", "B"]);
  });

  test.each([
    ["of an entity its own", "A", [], ["A"], ["A-1"]],
    ["of no entity none", null, ["Scope.Global"], [], []],
    ["with Market.View all", null, ["Market.View"], ["A", "B"], ["A-1", "B-1", "nobody-1"]],
  ])("shows a viewer %s", (_, entityId, permissions, entities, users) => {
    const viewer = { entityId, permissions: new Set(permissions) };
    const directory = filled();
    expect([idsOf(directory.entities(viewer)), idsOf(directory.users(viewer))]).toEqual([entities, users]);
  });
});
