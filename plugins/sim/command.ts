// What the commands to the simulator have in common: they go over HTTP, act as the connected user or the configured one,
// and need Market.Operate, which the simulator checks where it is not known here.

import type { z } from "zod";
import { actingUserId } from "../../core/backend/acting-user.ts";
import { defineMutation, type MutationDeclaration } from "../toolkit/mutation.ts";
import type { Tool } from "../../core/tools/tool.ts";

type CommandDeclaration<Input extends z.ZodObject, Shape extends z.ZodRawShape> =
  & Omit<MutationDeclaration<Input, Shape>, "fieldsOfFailure" | "requires">
  /** What the further fields of a failed result say. */
  & { readonly fieldsOfFailure: ReturnType<MutationDeclaration<Input, Shape>["fieldsOfFailure"]> };

export function defineCommand<Input extends z.ZodObject, Shape extends z.ZodRawShape>(
  { fieldsOfFailure, run, ...command }: CommandDeclaration<Input, Shape>,
): Tool {
  return defineMutation<Input, Shape>({
    ...command,
    requires: { permissions: ["Market.Operate"] },
    run: async (input, context, options) => ({
      userId: actingUserId(context),
      ...await run(input, context, options),
    }),
    fieldsOfFailure: (_input, context) => ({ userId: actingUserId(context), ...fieldsOfFailure }),
  });
}
