// Tools and routes with only what a test is about: the rest is the same for all.

import { z } from "zod";
import { defineRoute, type HandledRoute } from "../../../core/routes/route.ts";
import { defineTool, READ_ONLY, type Tool } from "../../../core/tools/tool.ts";

export const CHANGING = { annotations: { ...READ_ONLY, readOnlyHint: false } };

/** A handler that throws. */
export const failing = (error: unknown) => (): never => {
  throw error;
};

/** A tool that only reads and takes no arguments, unless `further` says otherwise. */
export function testTool(name: string, handler: Tool["handler"], further: Partial<Tool> = {}): Tool {
  const schemas = { input: z.strictObject({}), output: z.looseObject({}) };
  return defineTool({ name, title: "t", description: "d", ...schemas, annotations: READ_ONLY, handler, ...further });
}

/** A route of GET that only reads, unless `further` says otherwise. */
export function testRoute(path: string, handler: HandledRoute["handler"], further: Partial<HandledRoute> = {}) {
  return defineRoute({ method: "GET", path, description: "d", readOnlyHint: true, handler, ...further });
}
