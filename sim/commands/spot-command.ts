// `mkt spot`: simulated hourly spot prices of two nodes, written as they are computed.

import type { Command } from "commander";
import { UsageError } from "../../common/command-line.ts";
import { priceListing, readListing } from "../spot/price-listing.ts";

interface SpotArguments {
  readonly seed?: string;
  readonly hours?: string;
  readonly format?: string;
}

export function addSpotCommand(program: Command): void {
  program.command("spot")
    .description("the simulated spot prices of two nodes, hour by hour, as fast as they can be computed")
    .option("--seed <number>", "seed of the prices: one seed, one history")
    .option("--hours <number>", "how many hours")
    .option("--format <format>", "table to read, or csv with cents/MWh (default: table)")
    .action(runSpot);
}

async function runSpot(given: SpotArguments): Promise<void> {
  const read = readListing(given);
  if (!read.ok) throw new UsageError(read.faults.join("\n"));
  const writer = Bun.stdout.writer();
  try {
    for (const piece of priceListing(read.listing)) {
      writer.write(piece);
      await writer.flush();
    }
  } catch (error) {
    // The reader, for example `head`, has closed the pipe.
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  }
}
