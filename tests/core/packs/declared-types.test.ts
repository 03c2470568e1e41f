// The types that packs are written against (docs/examples/mkt-pack.d.ts) are those of the values that they get. The compiler
// checks the assignments below.
//
// It can't compare a declared function that infers the types of a handler with the real one, because each has generic types of
// its own. tests/e2e/packs.test.ts and sample-packs.test.ts call them all, from packs that are compiled against the declared
// types.

import { describe, expect, test } from "bun:test";
import { z } from "zod";
import type * as declared from "../../../docs/examples/mkt-pack.d.ts";
import { type ErrorCode, ToolError } from "../../../core/error.ts";
import { packApi } from "../../../core/packs/pack-api.ts";
import { PackVariables } from "../../../core/packs/pack-variables.ts";
import type { Pack } from "../../../core/packs/pack.ts";
import type { Prompt, PromptArgument, PromptContent } from "../../../core/prompts/prompt.ts";
import type { Resource, ResourceAnnotations } from "../../../core/resources/resource.ts";
import type { HandledRoute, PublicFile, PublicRoute, Route, RouteRequest } from "../../../core/routes/route.ts";
import type { SnapshotQuery, SnapshotReader } from "../../../core/market/snapshot-reader.ts";
import type { Client, InputRequired } from "../../../core/tools/client.ts";
import type { ToolContext } from "../../../core/tools/context.ts";
import type { RawResult, Requirements, Tool, ToolAnnotations } from "../../../core/tools/tool.ts";
import type { Completion } from "../../../core/tools/completion.ts";
import type { ModuleData, ModuleType } from "../../../protocol/modules/registry.ts";
import type { Action, ActionRequest, ActionResult, EventCategory, Permission } from "../../../protocol/index.ts";

/** A value of the type, for the compiler alone. */
declare const real: <Type>() => Type;
/** Compiles if every `Real` is a `Declared`. */
type Fits<Declared, Real extends Declared> = Real;
type Is<Real, Declared> = [Real] extends [Declared] ? true : false;
type Same<Left, Right> = [Left] extends [Right] ? ([Right] extends [Left] ? true : false) : false;
/** Compiles if every part is true. */
type All<Parts extends readonly true[]> = Parts;

const api = packApi(new PackVariables({ ACME_LIMIT: "7" }));

/** What the compiler checks; never called. */
export function assignments() {
  const fits: [
    Fits<Omit<declared.Context, "snapshot">, ToolContext>,
    // Its functions are generic in the type of module, so `same` compares the modules one by one.
    Fits<Omit<declared.Snapshot, "get" | "find" | "first" | "revisionOf">, SnapshotReader>,
    Fits<declared.SnapshotQuery, SnapshotQuery>,
    Fits<SnapshotQuery, declared.SnapshotQuery>,
    Fits<declared.Tool, Tool>,
    Fits<declared.Resource, Resource>,
    Fits<declared.Prompt, Prompt>,
    Fits<declared.Route, Route>,
    Fits<declared.ToolError, ToolError>,
    Fits<declared.RawResult, RawResult>,
    Fits<declared.Client, Client>,
    Fits<declared.RouteRequest<Readonly<Record<string, string>>>, RouteRequest>,
    // What a pack may give, mkt takes.
    Fits<Requirements, declared.Requirements>,
    Fits<declared.Requirements, Requirements>,
    Fits<ToolAnnotations, declared.ToolAnnotations>,
    Fits<declared.ToolAnnotations, ToolAnnotations>,
    Fits<declared.ResourceAnnotations, ResourceAnnotations>,
    Fits<ReturnType<Completion>, ReturnType<declared.Completion>>,
    Fits<Awaited<ReturnType<Resource["read"]>>, declared.ResourceValue>,
    Fits<Exclude<PromptContent, InputRequired>, Exclude<declared.PromptContent, declared.InputRequired>>,
    Fits<PublicRoute, declared.PublicRoute>,
    Fits<RawResult["result"], declared.CallToolResult>,
  ] = real();
  const same: All<[
    Same<declared.ModuleType, ModuleType>,
    Same<declared.ErrorCode, ErrorCode>,
    Same<declared.EventCategory, EventCategory>,
    Same<declared.Permission, Permission>,
    Same<keyof declared.Actions, Action>,
    // Real objects that are part of a module may have further properties.
    Same<{ [Type in ModuleType]: Is<ModuleData<Type>, declared.Modules[Type]> }, Record<ModuleType, true>>,
    Same<
      { [Type in ModuleType]: Same<keyof declared.Modules[Type], keyof ModuleData<Type>> },
      Record<ModuleType, true>
    >,
    Same<{ [Name in Action]: Is<declared.Actions[Name]["payload"], ActionRequest<Name>> }, Record<Action, true>>,
    Same<
      { [Name in Action]: Same<keyof declared.Actions[Name]["payload"], keyof ActionRequest<Name>> },
      Record<Action, true>
    >,
    Same<{ [Name in Action]: Is<ActionResult<Name>, declared.Actions[Name]["result"]> }, Record<Action, true>>,
    Same<keyof SnapshotReader, keyof declared.Snapshot>,
    Same<
      keyof Omit<declared.PackDeclaration, "unavailable">,
      Exclude<keyof Pack, "advice" | "needs" | "origin" | "unavailable">
    >,
    Same<
      keyof declared.ToolDeclaration<unknown, unknown>,
      Exclude<keyof Tool, "allowedInReadOnly" | "allowedWhenFrozen" | "allowedForViewers" | "reportsConnection">
    >,
    Same<keyof declared.ResourceDeclaration<string>, keyof Resource>,
    Same<keyof declared.PromptDeclaration<declared.PromptArguments>, keyof Prompt>,
    Same<keyof declared.PromptArgument, keyof PromptArgument>,
    Same<keyof declared.Client, keyof Client>,
    Same<keyof declared.HandledRoute<string>, Exclude<keyof HandledRoute, "browser" | "allowedWhenFrozen">>,
    Same<keyof declared.PublicRoute, keyof PublicRoute>,
    Same<keyof declared.PublicFile, keyof PublicFile>,
    Same<keyof declared.RouteRequest<unknown>, keyof RouteRequest>,
    Same<Exclude<keyof typeof api, keyof declared.Mkt>, "MODULES">,
    Same<Exclude<keyof declared.Mkt, keyof typeof api>, never>,
  ]> = real();
  const { ToolError, RawResult, READ_ONLY, eventStream } = api;
  const parts: Pick<declared.Mkt, "ToolError" | "RawResult" | "READ_ONLY" | "eventStream"> = {
    ToolError,
    RawResult,
    READ_ONLY,
    eventStream,
  };
  return { fits, same, parts };
}

const ofDeclared = (z: declared.Zod) =>
  z.strictObject({
    text: z.string().min(1).max(9).regex(/x/).describe("d"),
    count: z.int().min(0).max(5).positive().default(3),
    number: z.number().optional(),
    flag: z.boolean().nullable(),
    named: z.stringbool(),
    link: z.url(),
    one: z.literal("one"),
    side: z.enum(["buy", "sell"]).default("buy"),
    list: z.array(z.strictObject({ id: z.string(), note: z.string().optional() })).min(0).max(3),
    record: z.record(z.string(), z.number()),
    either: z.union([z.string(), z.string()]),
    none: z.null(),
    time: z.iso.datetime(),
    day: z.iso.date(),
    coerced: z.coerce.number(),
    written: z.coerce.string(),
    length: z.string().refine((text) => text !== "", "empty").transform((text) => text.length),
  });

const ofZod = () =>
  z.strictObject({
    text: z.string().min(1).max(9).regex(/x/).describe("d"),
    count: z.int().min(0).max(5).positive().default(3),
    number: z.number().optional(),
    flag: z.boolean().nullable(),
    named: z.stringbool(),
    link: z.url(),
    one: z.literal("one"),
    side: z.enum(["buy", "sell"]).default("buy"),
    list: z.array(z.strictObject({ id: z.string(), note: z.string().optional() })).min(0).max(3),
    record: z.record(z.string(), z.number()),
    either: z.union([z.string(), z.string()]),
    none: z.null(),
    time: z.iso.datetime(),
    day: z.iso.date(),
    coerced: z.coerce.number(),
    written: z.coerce.string(),
    length: z.string().refine((text) => text !== "", "empty").transform((text) => text.length),
  });

type Declared = ReturnType<typeof ofDeclared>;
type OfZod = ReturnType<typeof ofZod>;
/** The inferred types, which the compiler compares; never called. */
export function inferred(): All<
  [Same<Declared["_output"], z.output<OfZod>>, Same<Declared["_input"], z.input<OfZod>>]
> {
  return real();
}

describe("the declared types", () => {
  test("name schemas that the given z has, with the same results", () => {
    const schema = ofDeclared(api.z as unknown as declared.Zod);
    const value = {
      ...{ text: "x", flag: null, named: "yes", link: "http://a.b", one: "one", list: [{ id: "1" }], record: { a: 1 } },
      ...{ either: "e", none: null, time: "2026-01-01T00:00:00Z", day: "2026-01-01", coerced: "7", written: 5 },
      length: "abc",
    };
    const parsed = schema.parse(value);
    expect(parsed).toEqual(ofZod().parse(value));
    expect(parsed).toMatchObject({ count: 3, side: "buy", named: true, coerced: 7, written: "5", length: 3 });
  });

  test("name everything that mkt gives, with the values that they say", () => {
    const mkt = api as unknown as declared.Mkt;
    const settings = mkt.variables({ ACME_LIMIT: mkt.secret(mkt.z.coerce.number()).describe("MW") });
    const limit: number = settings.ACME_LIMIT;
    expect(limit).toBe(7);
    expect(new mkt.ToolError("not_found", "m", "h")).toBeInstanceOf(ToolError);
    expect(new mkt.RawResult({ content: [] }).result).toEqual({ content: [] });
    const find = mkt.compileFilters("ENGINE", { productCode: "X" }, {
      snapshot: { get: () => undefined, first: () => undefined },
      now: 0,
    });
    expect(find.equals).toEqual({ productCode: "X" });
  });
});
