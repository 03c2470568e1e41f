// The audience of each module and event, as docs/market-rules.md has it ("Who sees what").

import { expect, test } from "bun:test";
import {
  audienceOfEvent,
  audienceOfModule,
  audienceOfTrade,
  audiencesOfEntity,
  maySeeDocumentation,
} from "../../../engine/api/visibility.ts";
import { EVENTS, type EventType } from "../../../protocol/index.ts";
import { MODULE_TYPES, type ModuleType } from "../../../protocol/modules/registry.ts";

const DATA = { id: "I", entityId: "E", counterpartyId: "C", buyEntityId: "B", sellEntityId: "S" };
const EVERYONE = "everyone";
const [OF_ENTITY, OF_TRADE, CREDIT] = ["Market.View E", "Market.View B S", "Scope.Global E"];
const texts = (types: readonly string[], text: string) => Object.fromEntries(types.map((type) => [type, text]));

const MODULES: Readonly<Record<string, string>> = {
  ...texts(["MARKET", "PRODUCT", "CONTRACT", "ENGINE", "QUEUE"], EVERYONE),
  ...texts(["USER", "ORDER", "FILL"], OF_ENTITY),
  ENTITY: "Market.View I",
  TRADE: OF_TRADE,
  CREDIT,
};
const OFTEN = ["new.order", "change.order", "cancel.order", "expire.order", "hold.order", "release.order", "new.fill"];
const EVENT_AUDIENCES: Readonly<Record<string, string>> = {
  ...texts([...OFTEN, "reject.order", "change.user"], OF_ENTITY),
  ...texts(["change.book", "change.spot", "halt.market", "resume.market", "change.market", "change.clock"], EVERYONE),
  ...texts(["new.contract", "change.contract", "remove.contract"], EVERYONE),
  ...texts(["change.credit", "remove.credit"], CREDIT),
  "new.trade": OF_TRADE,
  "change.documentation": "Scope.Global E C",
};

test("each module and each event is for everyone, or for a permission and the entities that it is about", () => {
  const shown = ({ permission, entityIds }: ReturnType<typeof audienceOfTrade>) => [permission, ...entityIds].join(" ");
  const told = (type: string) => shown(audienceOfEvent(type as EventType, DATA as never)) || EVERYONE;
  const seen = (type: ModuleType) => shown(audienceOfModule(type, DATA as never)) || EVERYONE;
  expect(Object.fromEntries(MODULE_TYPES.map((type) => [type, seen(type)]))).toEqual(MODULES);
  expect(Object.fromEntries(Object.keys(EVENTS).map((type) => [type, told(type)]))).toEqual(EVENT_AUDIENCES);
});

test("what is about no entity is for holders of the permission alone", () => {
  for (const data of [{}, { entityId: null }]) {
    expect(audienceOfEvent("change.user", data as never)).toStrictEqual({ permission: "Market.View", entityIds: [] });
  }
});

test("what is sent often has the audience of its type", () => {
  expect(audienceOfTrade("B", "S")).toEqual(audienceOfEvent("new.trade", DATA as never));
  const about = { entityId: "E" } as never;
  expect(audiencesOfEntity("E") as object).toEqual({
    ...Object.fromEntries(OFTEN.map((type) => [type, audienceOfEvent(type as EventType, about)])),
    ...Object.fromEntries((["ORDER", "FILL", "CREDIT"] as const).map((type) => [type, audienceOfModule(type, about)])),
  });
});

test("documents are seen by both of the pair", () => {
  const users = ["E", "C", "D"].map((entityId) => ({ id: "u", entityId, permissions: new Set<never>() }));
  expect(users.map((user) => maySeeDocumentation(user as never, "E", "C"))).toEqual([true, true, false]);
});
