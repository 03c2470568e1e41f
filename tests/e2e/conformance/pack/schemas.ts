// Tools with input schemas of their own: keywords of JSON Schema 2020-12, and an argument that clients repeat in a header.

import type { PackFactory } from "../../../../core/packs/pack-api.ts";

const factory: PackFactory = (mkt) => {
  const { z, RawResult } = mkt;
  const done = () => new RawResult({ content: [{ type: "text", text: "Done." }] });
  const address = z.strictObject({ street: z.string().optional(), city: z.string().optional() });
  return mkt.definePack({
    name: "conformance-schemas",
    description: "Input schemas.",
    tools: [
      mkt.defineTool({
        name: "json_schema_2020_12_tool",
        title: "JSON Schema 2020-12",
        description: "Tool with JSON Schema 2020-12 features",
        input: z.strictObject({
          name: z.string().optional(),
          address: address.optional(),
          contactMethod: z.enum(["phone", "email"]).optional(),
          phone: z.string().optional(),
          email: z.string().optional(),
        }),
        publishedInput: {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          $defs: {
            address: {
              $anchor: "addressDef",
              type: "object",
              properties: { street: { type: "string" }, city: { type: "string" } },
            },
          },
          properties: {
            name: { type: "string" },
            address: { $ref: "#/$defs/address" },
            contactMethod: { type: "string", enum: ["phone", "email"] },
            phone: { type: "string" },
            email: { type: "string" },
          },
          allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
          if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
          then: { required: ["phone"] },
          else: { required: ["email"] },
          additionalProperties: false,
        },
        output: mkt.CONTENT,
        annotations: mkt.READ_ONLY,
        handler: done,
      }),
      mkt.defineTool({
        name: "test_x_mcp_header",
        title: "Argument in a header",
        description: "Clients repeat the region in the header Mcp-Param-Region.",
        input: z.strictObject({ region: z.string().meta({ "x-mcp-header": "Region", description: "Any text" }) }),
        output: mkt.CONTENT,
        annotations: mkt.READ_ONLY,
        handler: done,
      }),
    ],
  });
};

export default factory;
