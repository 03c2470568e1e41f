// A leaderboard: a folder of files for any web server, with the report, the results, and the records by which anybody can
// check them. It never replaces another folder.

import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileErrorReason } from "../../common/file-error.ts";
import { html, type Markup } from "../../sim/report/markup.ts";
import { readResult, RECORD_FILES } from "../record/episode-record.ts";
import { recordsIn } from "../record/records-in.ts";
import { type RatedEpisode, ratingsOf } from "./ratings.ts";
import { ratingsJson } from "./ratings-text.ts";
import { reportPage } from "./report-page.ts";

interface LeaderboardOptions {
  readonly folders: readonly string[];
  /** The new folder. */
  readonly out: string;
  /** Why a record does not hold, or null if it does; absent: nothing is checked. */
  readonly difference?: (folder: string) => Promise<string | null>;
}

interface LeftOut {
  readonly record: string;
  readonly reason: string;
}

/** Returns the records that were left out. Throws an Error of one line if there is none to show, or if a file can't be made. */
export async function writeLeaderboard({ folders, out, difference }: LeaderboardOptions): Promise<readonly LeftOut[]> {
  const leftOut: LeftOut[] = [];
  const shown: RatedEpisode[] = [];
  for (const folder of folders.flatMap(recordsIn)) {
    const result = readResult(folder);
    const record = join(result.scenario, String(result.seed), result.agent);
    const reason = difference === undefined ? null : await difference(folder);
    if (reason !== null) leftOut.push({ record, reason });
    else if (shown.some((each) => join(each.result.scenario, String(each.result.seed), each.result.agent) === record)) {
      leftOut.push({ record, reason: `${folder} is a second record of it` });
    } else shown.push({ folder, result });
  }
  if (shown.length === 0) throw new Error(`no record holds: ${leftOut[0]?.reason}`);
  const ratings = ratingsOf(shown);
  try {
    mkdirSync(dirname(out), { recursive: true });
    mkdirSync(out);
    const records = shown.map((episode) => copied(episode, out));
    writeFileSync(join(out, "report.json"), `${ratingsJson(ratings)}\n`);
    writeFileSync(join(out, "records.sha256"), records.flatMap(({ sums }) => sums).join(""));
    writeFileSync(join(out, "index.html"), reportPage(ratings, proofPart(difference !== undefined, leftOut)));
  } catch (error) {
    throw new Error(`${out}: ${fileErrorReason(error)}`, { cause: error });
  }
  return leftOut;
}

/** Copies a record, and returns a line for each of its files as sha256sum writes it. */
function copied({ folder, result: { scenario, seed, agent } }: RatedEpisode, out: string): { readonly sums: string[] } {
  const path = join("records", scenario, String(seed), agent);
  const target = join(out, path);
  mkdirSync(target, { recursive: true });
  const sums = RECORD_FILES.map((name) => {
    cpSync(join(folder, name), join(target, name));
    const digest = createHash("sha256").update(readFileSync(join(target, name))).digest("hex");
    return `${digest}  ${path.replaceAll("\\", "/")}/${basename(name)}\n`;
  });
  return { sums };
}

function proofPart(isVerified: boolean, leftOut: readonly LeftOut[]): Markup {
  const all = isVerified
    ? "Every record shown was played again when this page was made, and came out byte for byte."
    : "The records were not played again when this page was made.";
  return html`<p>${all} Check them yourself, with the mkt of the version below:</p>
<pre>sha256sum --check --quiet records.sha256
mkt arena verify records
mkt arena verify records/SCENARIO/SEED/AGENT</pre>
<p><a href="report.json">report.json</a> has all figures, <a href="records.sha256">records.sha256</a> the digests. That a record comes
out the same proves its score, not who played.</p>
${
    leftOut.length === 0 ? [] : html`
      <h3>Left out</h3>
      <ul>${leftOut.map(({ record, reason }) => html`<li><bdi>${record}</bdi>: <bdi>${reason}</bdi></li>`)}</ul>
    `
  }`;
}
