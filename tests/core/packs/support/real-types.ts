// Types of the program that the declared types of packs are compared with.

export type { ErrorCode } from "../../../../core/error.ts";
export type { Action, ActionRequest, ActionResult, EventCategory, Permission } from "../../../../protocol/index.ts";
