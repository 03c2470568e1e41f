// Shared by the commands to the simulator: they go over HTTP, act as the connected or the configured user, and need
// Market.Operate. Without a session this process does not know the user's permissions, and the simulator checks them.

import type { z } from "zod";
import { actingUserId } from "../../core/backend/acting-user.ts";
import { defineMutation, type MutationDeclaration } from "../toolkit/mutation.ts";
import type { Tool } from "../../core/tools/tool.ts";

type CommandDeclaration<Input extends z.ZodObject, Shape extends z.ZodRawShape> =
  & Omit<MutationDeclaration<Input, Shape>, "fieldsOfFailure" | "requires">
  /** Values of the tool's own fields in a failed result. */
  & { readonly fieldsOfFailure: ReturnType<MutationDeclaration<Input, Shape>["fieldsOfFailure"]> };

export function defineCommand<Input extends z.ZodObject, Shape extends z.ZodRawShape>(
  { fieldsOfFailure, run, ...command }: CommandDeclaration<Input, Shape>,
): Tool {
  return defineMutation<Input, Shape>({
    ...command,
    requires: { permissions: ["Market.Operate"] },
    run: async (input, context, send) => ({
      userId: actingUserId(context),
      ...await run(input, context, send),
    }),
    fieldsOfFailure: (_input, context) => ({ userId: actingUserId(context), ...fieldsOfFailure }),
  });
}
