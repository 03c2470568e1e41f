// `mkt spot`: simulated hourly spot prices of two nodes, written as they are computed.

import type { Command } from "commander";
import { checkOptions, choice, option, wholeNumber } from "../../common/options.ts";
import { printNote, write } from "../../common/output.ts";
import { showProgress } from "../../common/progress-bar.ts";
import packageJson from "../../package.json" with { type: "json" };
import { NewFile } from "../../sim/report/new-file.ts";
import { spotPicture } from "../../sim/report/spot-picture.ts";
import { type Listing, LISTING_FORMATS, priceListing, ROWS_A_PIECE } from "../../sim/spot/price-listing.ts";

const MAX_SEED = 999_999_999;
const MAX_HOURS = 10_000_000;
/** About a second. */
const MANY_HOURS = 100_000;
const FORMAT = "table, or csv with cents/MWh (default: table on a terminal, otherwise csv)";

export function addSpotCommand(program: Command): void {
  program.command("spot")
    .description("the simulated spot prices of two nodes, hour by hour, as fast as they can be computed")
    .addOption(option("--seed <number>", "seed of the prices", wholeNumber(0, MAX_SEED)).default(1))
    .addOption(option("--hours <number>", "how many hours", wholeNumber(1, MAX_HOURS)).default(24))
    .addOption(choice("--format <format>", FORMAT, LISTING_FORMATS))
    .option("--plot <file>", "draw the prices as a picture in this new SVG file; prints them only with --format")
    .action(runSpot);
}

interface SpotArguments {
  readonly seed: number;
  readonly hours: number;
  readonly format?: Listing["format"];
  readonly plot?: string;
}

async function runSpot({ seed, hours, format, plot }: SpotArguments, command: Command): Promise<void> {
  checkOptions(command);
  if (plot !== undefined) await drawSpot(plot, { seed, hours });
  if (plot !== undefined && format === undefined) return;
  const shown = format ?? (process.stdout.isTTY ? "table" : "csv");
  // On a terminal the prices themselves show the progress.
  const progress = await showProgress(process.stdout.isTTY || hours < MANY_HOURS ? 0 : hours, "hours");
  let done = 0;
  for (const piece of priceListing({ seed, hours, format: shown })) {
    await write(piece);
    progress.update(done += Math.min(ROWS_A_PIECE, hours - done));
  }
  progress.stop();
}

/** Throws an Error of one line if the file can't be made. */
async function drawSpot(path: string, what: { readonly seed: number; readonly hours: number }): Promise<void> {
  const file = new NewFile(path, "--plot");
  const progress = await showProgress(what.hours, "hours");
  const picture = spotPicture({ ...what, version: packageJson.version, onProgress: progress.update });
  progress.stop();
  file.finish(picture);
  printNote(path);
}
