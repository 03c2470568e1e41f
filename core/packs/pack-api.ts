// What a pack in MKT_PLUGIN_DIR gets as its argument. Its file needs no installed package:
//
//   export default (mkt) => mkt.definePack({ name: "hello", description: "...", tools: [mkt.defineTool({ ... })] })

import { z } from "zod";
import { compileFilters } from "../market/filter.ts";
import { MODULES } from "../../protocol/modules/registry.ts";
import { ToolError } from "../error.ts";
import { InputRequired } from "../tools/client.ts";
import { CONTENT, defineTool, RawResult, READ_ONLY } from "../tools/tool.ts";
import { definePrompt } from "../prompts/prompt.ts";
import { defineResource } from "../resources/resource.ts";
import { eventStream } from "../routes/event-stream.ts";
import { defineRoute } from "../routes/route.ts";
import { definePack, type Pack } from "./pack.ts";
import { type PackVariables, secret } from "./pack-variables.ts";

export function packApi({ read: variables }: Pick<PackVariables, "read">) {
  return {
    z,
    definePack,
    defineTool,
    defineResource,
    definePrompt,
    defineRoute,
    eventStream,
    variables,
    secret,
    ToolError,
    RawResult,
    CONTENT,
    InputRequired,
    READ_ONLY,
    MODULES,
    compileFilters,
  } as const;
}

type PackApi = ReturnType<typeof packApi>;

/** The default export of a file in MKT_PLUGIN_DIR. */
export type PackFactory = (mkt: PackApi) => Pack | Promise<Pack>;
