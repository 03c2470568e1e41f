// A pack with a tool that logs to its client, because no built-in pack does.

import type { PackFactory } from "../../../../core/packs/pack-api.ts";

const factory: PackFactory = (mkt) =>
  mkt.definePack({
    name: "logging",
    description: "Logs to the client",
    tools: [mkt.defineTool({
      name: "acme_log",
      title: "Log",
      description: "Logs to the client.",
      input: mkt.z.strictObject({}),
      output: mkt.z.looseObject({ isLogged: mkt.z.boolean() }),
      annotations: mkt.READ_ONLY,
      usesClient: true,
      async handler(_, { client }) {
        await client.log("info", "logged by acme_log");
        return { isLogged: true };
      },
    })],
  });

export default factory;
