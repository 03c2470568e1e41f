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

  type Handler = Parameters<typeof mkt.defineTool>[0]["handler"];
  const toolOf = (name: string, handler: Handler, usesClient = false) =>
    mkt.defineTool({
      name,
      title: name,
      description: "Does what the suites expect.",
      input: z.strictObject({}),
      output: mkt.CONTENT,
      annotations: mkt.READ_ONLY,
      usesClient,
      handler,
    });
  const giving = (name: string, ...content: ConstructorParameters<typeof RawResult>[0]["content"]) =>
    toolOf(name, () => new RawResult({ content }));

  const failing = toolOf("test_error_handling", () => {
    throw new mkt.ToolError("not_found", "This tool intentionally returns an error for testing", "Expect it.");
  });

  const progressing = toolOf("test_tool_with_progress", async (_, { progress }) => {
    for (const done of [0, 50, 100]) {
      await progress({ done, total: 100 });
      await Bun.sleep(PAUSE_MS);
    }
    return new RawResult({ content: [text("Done.")] });
  });

  const loggingTool = (name: string) =>
    toolOf(name, async (_, { client }) => {
      for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await client.log("info", message);
        await Bun.sleep(PAUSE_MS);
      }
      return new RawResult({ content: [text("Done.")] });
    }, true);

  const described = (name: string) => ({ name, title: name, description: "Read by the suites." });
  const resourceOf = (name: string, mimeType: string, content: string | Uint8Array, version?: () => number) =>
    mkt.defineResource({ ...described(name), uri: `test://${name}`, mimeType, version, read: () => content });
  const resources = [
    resourceOf("static-text", "text/plain", "This is the content of the static text resource."),
    resourceOf("static-binary", "image/png", Uint8Array.fromBase64(PNG)),
    resourceOf("watched-resource", "text/plain", "This resource never changes.", () => 1),
    mkt.defineResource({
      ...described("template"),
      uri: "test://template/{id}/data",
      parameters: { id: null },
      read: ({ id }) => ({ id, templateTest: true, data: `Data for ID: ${id}` }),
    }),
  ];

  const prompts = [
    mkt.definePrompt({
      ...described("test_simple_prompt"),
      messages: () => "This is a simple prompt for testing.",
    }),
    mkt.definePrompt({
      ...described("test_prompt_with_arguments"),
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
      ...described("test_prompt_with_embedded_resource"),
      arguments: { resourceUri: { description: "URI of the resource" } },
      messages: ({ resourceUri = "" }) => [
        { role: "user", content: embedded(resourceUri, "text/plain", "Embedded resource content for testing.") },
        { role: "user", content: text("Please process the embedded resource above.") },
      ],
    }),
    mkt.definePrompt({
      ...described("test_prompt_with_image"),
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
      giving("test_simple_text", text("This is a simple text response for testing.")),
      giving("test_image_content", image),
      giving("test_audio_content", { type: "audio", data: WAV, mimeType: "audio/wav" }),
      giving(
        "test_embedded_resource",
        embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
      ),
      giving(
        "test_multiple_content_types",
        text("Multiple content types test:"),
        image,
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
      ),
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
