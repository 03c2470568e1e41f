// What the conformance suites read and call: content of each type, errors, progress, log messages, resources and prompts. Names
// and texts are those of the suites.

import type { PackFactory } from "../../../../core/packs/pack-api.ts";

/** One red pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A WAV file without a sample. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const PAUSE_MS = 10;

const factory: PackFactory = (mkt) => {
  const { z, RawResult } = mkt;
  const image = { type: "image", data: PNG, mimeType: "image/png" } as const;
  const text = (value: string) => ({ type: "text", text: value }) as const;
  const embedded = (uri: string, mimeType: string, value: string) =>
    ({ type: "resource", resource: { uri, mimeType, text: value } }) as const;

  type Content = ConstructorParameters<typeof RawResult>[0]["content"];
  const toolOf = (name: string, content: Content) =>
    mkt.defineTool({
      name,
      title: name,
      description: "Gives the content that the suites expect.",
      input: z.strictObject({}),
      output: mkt.CONTENT,
      annotations: mkt.READ_ONLY,
      handler: () => new RawResult({ content }),
    });

  const failing = mkt.defineTool({
    name: "test_error_handling",
    title: "Error",
    description: "Always fails.",
    input: z.strictObject({}),
    output: mkt.CONTENT,
    annotations: mkt.READ_ONLY,
    handler: () => {
      throw new mkt.ToolError("not_found", "This tool intentionally returns an error for testing", "Expect it.");
    },
  });

  const progressing = mkt.defineTool({
    name: "test_tool_with_progress",
    title: "Progress",
    description: "Reports progress three times.",
    input: z.strictObject({}),
    output: mkt.CONTENT,
    annotations: mkt.READ_ONLY,
    handler: async (_, { progress }) => {
      for (const done of [0, 50, 100]) {
        await progress({ done, total: 100 });
        await Bun.sleep(PAUSE_MS);
      }
      return new RawResult({ content: [text("Done.")] });
    },
  });

  const loggingTool = (name: string) =>
    mkt.defineTool({
      name,
      title: "Log messages",
      description: "Sends three log messages to the client.",
      input: z.strictObject({}),
      output: mkt.CONTENT,
      annotations: mkt.READ_ONLY,
      usesClient: true,
      handler: async (_, { client }) => {
        for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
          await client.log("info", message);
          await Bun.sleep(PAUSE_MS);
        }
        return new RawResult({ content: [text("Done.")] });
      },
    });

  const resources = [
    mkt.defineResource({
      name: "static-text",
      uri: "test://static-text",
      title: "Text",
      description: "A text.",
      mimeType: "text/plain",
      read: () => "This is the content of the static text resource.",
    }),
    mkt.defineResource({
      name: "static-binary",
      uri: "test://static-binary",
      title: "Image",
      description: "One red pixel.",
      mimeType: "image/png",
      read: () => Uint8Array.fromBase64(PNG),
    }),
    mkt.defineResource({
      name: "watched-resource",
      uri: "test://watched-resource",
      title: "Watched text",
      description: "A text that clients subscribe to.",
      mimeType: "text/plain",
      version: () => 1,
      read: () => "This resource never changes.",
    }),
    mkt.defineResource({
      name: "template",
      uri: "test://template/{id}/data",
      title: "Template",
      description: "Data for an id.",
      parameters: { id: null },
      read: ({ id }) => ({ id, templateTest: true, data: `Data for ID: ${id}` }),
    }),
  ];

  const prompts = [
    mkt.definePrompt({
      name: "test_simple_prompt",
      title: "Simple prompt",
      description: "A prompt without arguments.",
      messages: () => "This is a simple prompt for testing.",
    }),
    mkt.definePrompt({
      name: "test_prompt_with_arguments",
      title: "Prompt with arguments",
      description: "A prompt with two arguments.",
      arguments: {
        arg1: {
          description: "First test argument",
          complete: (typed) => ["test", "text"].filter((v) => v.startsWith(typed)),
        },
        arg2: { description: "Second test argument" },
      },
      messages: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
    }),
    mkt.definePrompt({
      name: "test_prompt_with_embedded_resource",
      title: "Prompt with a resource",
      description: "A prompt with an embedded resource.",
      arguments: { resourceUri: { description: "URI of the resource" } },
      messages: ({ resourceUri = "" }) => [
        { role: "user", content: embedded(resourceUri, "text/plain", "Embedded resource content for testing.") },
        { role: "user", content: text("Please process the embedded resource above.") },
      ],
    }),
    mkt.definePrompt({
      name: "test_prompt_with_image",
      title: "Prompt with an image",
      description: "A prompt with an image.",
      messages: () => [
        { role: "user", content: image },
        { role: "user", content: text("Please analyze the image above.") },
      ],
    }),
  ];

  return mkt.definePack({
    name: "conformance-content",
    description: "Content of each type.",
    tools: [
      toolOf("test_simple_text", [text("This is a simple text response for testing.")]),
      toolOf("test_image_content", [image]),
      toolOf("test_audio_content", [{ type: "audio", data: WAV, mimeType: "audio/wav" }]),
      toolOf("test_embedded_resource", [
        embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
      ]),
      toolOf("test_multiple_content_types", [
        text("Multiple content types test:"),
        image,
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
      ]),
      failing,
      progressing,
      loggingTool("test_tool_with_logging"),
      loggingTool("test_logging_tool"),
    ],
    resources,
    prompts,
  });
};

export default factory;
