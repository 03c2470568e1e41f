// Reads the query or the JSON body of a request. A wrong one is refused with 400, which names each fault.

import type { Context } from "hono";
import type { z } from "zod";
import { Deadlines } from "../../deadlines.ts";
import { faultsOf } from "../../schema-fault.ts";
import { RequestBodies, textOf } from "../request-bodies.ts";
import { parseJson } from "../../../protocol/json.ts";
import { ENGINE_LIMITS, type EngineLimits } from "./engine-limits.ts";
import { faultOfShape } from "./message-shape.ts";
import { Refusal } from "./route-refusal.ts";

const DEADLINES = new Deadlines(10_000);

export function parseQuery<Schema extends z.ZodType>(schema: Schema, context: Context): z.output<Schema> {
  const parsed = schema.safeParse(context.req.query());
  if (parsed.success) return parsed.data;
  throw new Refusal(400, "invalid_query", faultsOf(parsed.error, context.req.query(), "query", "no such parameter"));
}

/** An empty body counts as an empty object. Also refuses a body that is too large (413) or too slow (408). */
export async function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  context: Context,
  limits: EngineLimits,
): Promise<z.output<Schema>> {
  const text = await bodyText(context, limits);
  const body = text.trim() === "" ? {} : parseJson(text);
  if (body === undefined) throw new Refusal(400, "invalid_payload", "the body is not JSON");
  const fault = faultOfShape(body, limits);
  if (fault !== null) throw new Refusal(400, "invalid_payload", `the body ${fault}`);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Refusal(400, "invalid_payload", faultsOf(parsed.error, body, "body"));
}

async function bodyText(context: Context, { frameBytes: maxBytes }: EngineLimits): Promise<string> {
  const setting = ENGINE_LIMITS.frameBytes.variable;
  const bodies = new RequestBodies({ maxBytes, deadlines: DEADLINES, setting });
  const body = textOf(await bodies.read(context.req.raw).body);
  if (body.kind === "whole") return body.text;
  const { status, code, message, headers } = bodies.refusal(body.kind);
  throw new Refusal(status, code, message, headers);
}
