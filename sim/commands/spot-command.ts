// `mkt spot`: simulated hourly spot prices of two nodes, written as they are computed.

import type { Command } from "commander";
import { checkOptions, choice, option, wholeNumber } from "../../common/options.ts";
import { write } from "../../common/output.ts";
import { type Listing, LISTING_FORMATS, priceListing } from "../spot/price-listing.ts";

const MAX_SEED = 999_999_999;
const MAX_HOURS = 10_000_000;
const FORMAT = "table, or csv with cents/MWh (default: table on a terminal, otherwise csv)";

export function addSpotCommand(program: Command): void {
  program.command("spot")
    .description("the simulated spot prices of two nodes, hour by hour, as fast as they can be computed")
    .addOption(option("--seed <number>", "seed of the prices", wholeNumber(0, MAX_SEED)).default(1))
    .addOption(option("--hours <number>", "how many hours", wholeNumber(1, MAX_HOURS)).default(24))
    .addOption(choice("--format <format>", FORMAT, LISTING_FORMATS))
    .action(runSpot);
}

async function runSpot(given: Partial<Listing> & Omit<Listing, "format">, command: Command): Promise<void> {
  checkOptions(command);
  const { seed, hours, format = process.stdout.isTTY ? "table" : "csv" } = given;
  for (const piece of priceListing({ seed, hours, format })) await write(piece);
}
