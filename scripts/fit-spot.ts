// Fits the spot price model to real hourly prices, and writes the fitted parameters and the statistics of the data.
//
//   bun scripts/fit-spot.ts FILE.csv
//
// FILE.csv has real-time prices of ERCOT's hubs in dollars/MWh, for the hours of 2020 to 2024; columns utc, north, west. The
// storm of February 2021 is left out: this one event made up more than half of the cost of all spikes. The repository has only
// the results, not the data: sim/spot/fitted-parameters.ts and scripts/spot/real-statistics.json.

import { fit } from "./spot/fit.ts";
import { part, readPriceHistory } from "./spot/price-history.ts";
import { spotStatistics } from "./spot/statistics.ts";

const NODES = ["north", "west"] as const;
const TIMEZONE = "America/Chicago";
const STORM = [Date.parse("2021-02-10T06:00:00Z"), Date.parse("2021-02-23T06:00:00Z")] as const;
const YEAR_2023 = [Date.parse("2023-01-01T06:00:00Z"), Date.parse("2024-01-01T06:00:00Z")] as const;
const PARAMETERS = new URL("../sim/spot/fitted-parameters.ts", import.meta.url).pathname;
const STATISTICS = new URL("spot/real-statistics.json", import.meta.url).pathname;

const HEADER =
  `// Written by scripts/fit-spot.ts: the spot price model fitted on hourly real-time prices of the hubs North and West of
// ERCOT, 2020 to 2024, without the storm of February 2021. docs/spot-model.md says how.
`;

const within = ([from, until]: readonly [number, number]) => (time: number) => time >= from && time < until;

/** Four significant digits: more than the precision of the data. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(4)) : value;
}

async function main([path]: readonly string[]): Promise<number> {
  if (path === undefined) {
    console.error("usage: bun scripts/fit-spot.ts FILE.csv");
    return 2;
  }
  const file = Bun.file(path);
  if (!await file.exists()) {
    console.error(`${path}: no such file`);
    return 1;
  }
  const all = readPriceHistory(await file.text(), NODES, TIMEZONE);
  const withoutStorm = part(all, (time) => !within(STORM)(time));
  const source = `${HEADER}\nexport const FITTED_PARAMETERS = ${
    JSON.stringify(fit(withoutStorm), rounded)
  } as const;\n`;
  await Bun.write(PARAMETERS, source);
  const statistics = {
    withoutStorm: spotStatistics(withoutStorm),
    year2023: spotStatistics(part(all, within(YEAR_2023))),
  };
  await Bun.write(STATISTICS, `${JSON.stringify(statistics, rounded)}\n`);
  return await Bun.spawn(["deno", "fmt", "--quiet", PARAMETERS, STATISTICS], {
    stdio: ["ignore", "inherit", "inherit"],
  })
    .exited;
}

process.exit(await main(process.argv.slice(2)));
