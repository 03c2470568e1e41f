// A pack in a folder for MKT_PLUGIN_DIR. Whatever it brings reports that it waits, and then waits until its client gives up.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PackFactory } from "../../../../core/packs/pack-api.ts";
import type { ToolContext } from "../../../../core/tools/context.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";

/** Only its text is used, so it must not use anything outside itself. */
const patient: PackFactory = (mkt) => {
  const untilGivenUp = async ({ signal, progress }: ToolContext): Promise<never> => {
    const givenUp = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    await progress({ done: 0, message: "Waits." });
    return await givenUp;
  };
  const waiting = (kind: string) => ({ name: `patient_${kind}`, title: `Patient ${kind}`, description: "Waits." });
  const schemas = { input: mkt.z.strictObject({}), output: mkt.z.looseObject({}) };
  return mkt.definePack({
    name: "patient",
    description: "Waits until its client gives up",
    tools: [mkt.defineTool({
      ...waiting("tool"),
      ...schemas,
      annotations: mkt.READ_ONLY,
      handler: (_input, context) => untilGivenUp(context),
    })],
    resources: [mkt.defineResource({
      ...waiting("resource"),
      uri: "patient://{name}",
      parameters: { name: (_typed, context) => untilGivenUp(context) },
      read: (_parameters, context) => untilGivenUp(context),
    })],
    prompts: [mkt.definePrompt({ ...waiting("prompt"), messages: (_given, context) => untilGivenUp(context) })],
  });
};

export function patientPackFolder(): string {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, "patient.js"), `export default ${patient.toString()};\n`);
  return folder;
}
