import type { Mkt } from "./mkt-pack.d.ts";

export default (mkt: Mkt) =>
  mkt.definePack({
    name: "first",
    description: "My first pack",
    tools: [
      mkt.defineTool({
        name: "acme_megawatt_hours",
        title: "Energy of a delivery",
        description: "The energy of a delivery, in MWh.",
        input: mkt.z.strictObject({
          quantity: mkt.z.number().min(0).describe("MW"),
          hours: mkt.z.number().min(0).default(1).describe("Hours of delivery; 1 if absent"),
        }),
        output: mkt.z.looseObject({ energy: mkt.z.number().describe("MWh") }),
        annotations: mkt.READ_ONLY,
        handler: ({ quantity, hours }) => ({ energy: quantity * hours }),
      }),
    ],
  });
