import { beforeAll, describe, expect, test } from "bun:test";
import { BackupEncoder, failureFrame } from "../../../engine/backup/backup-encoder.ts";
import {
  BACKUP_FORMAT,
  type BackupDescription,
  type BackupEntry,
  BackupFault,
} from "../../../engine/backup/backup-format.ts";
import { FORMAT_VERSION } from "../../../engine/journal/journal-tables.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { SEED, withSeedInFailures } from "../../support/seed.ts";
import { size } from "../../support/sizes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { run } from "../server/checkpoints/running-engine.ts";
import { backupsOf, beginBackup, bytesIn, entriesIn } from "./backup-of.ts";

const [LAST, NEXT] = [FORMAT_VERSION - 1, FORMAT_VERSION + 1];
const DESCRIPTION: BackupDescription = {
  kind: "mkt backup",
  format: BACKUP_FORMAT,
  mkt: "1.2.3",
  journalFormat: FORMAT_VERSION,
  engineId: "M-1",
  epoch: 1000,
  upTo: 7,
  sequence: 1042,
  marketTime: "2026-05-05T05:05:05.000Z",
  time: "2026-05-05T05:05:06.000Z",
  checkpoint: 5,
  auditPosition: 4,
  auditDelivered: null,
};
const PART = '{"kind":"host","text":"a line separator: \\u2028, an emoji: 😀"}';
const EVENTS = [3, 4].map((position) => `${position}${"\tnull".repeat(8)}\t{}\n`).join("");
const BEFORE_EVENTS = (encoder: BackupEncoder) => {
  encoder.addHeader('{"engineId":"M-1"}');
  encoder.addPart(PART);
  encoder.addCall(6, '{"kind":"advance"}');
  encoder.addCall(7, '{"kind":"advance","now":7}');
};
const AFTER_DESCRIPTION = (encoder: BackupEncoder) => {
  BEFORE_EVENTS(encoder);
  encoder.addEvents(3, 4, EVENTS);
};

/** A backup with other lines or another description. */
function made(lines = AFTER_DESCRIPTION, description: object = {}): Uint8Array {
  const encoder = new BackupEncoder();
  encoder.describe({ ...DESCRIPTION, ...description });
  lines(encoder);
  return encoder.lastFrame();
}

/** A whole backup, and further lines. */
const longer = (more: (encoder: BackupEncoder) => void) => made((to) => (AFTER_DESCRIPTION(to), more(to)));
/** With lines of these audit events, of which the last one should be that at `auditPosition`. */
const withEvents = (auditPosition: number, ...lines: [first: number, last: number][]) =>
  made((to) => {
    BEFORE_EVENTS(to);
    for (const [first, last] of lines) to.addEvents(first, last, EVENTS);
  }, { auditPosition });
const DEEP = "[".repeat(300_000) + "]".repeat(300_000);
const damaged = (fault: string) => `is damaged: ${fault}`;
const ofFormat = (format: number, mkt: string) =>
  `has a journal of format ${format} and was made by mkt ${mkt}; this mkt reads format ${FORMAT_VERSION}; use mkt ${mkt}`;

async function fault(bytes: Uint8Array): Promise<string> {
  try {
    await entriesIn(bytes);
    return "none";
  } catch (error) {
    if (!(error instanceof BackupFault)) throw error;
    return error.message;
  }
}

describe("a backup", () => {
  test("is read as it was written, in chunks of any size", async () => {
    const expected: BackupEntry[] = [
      { kind: "description", description: DESCRIPTION },
      { kind: "header", text: '{"engineId":"M-1"}' },
      { kind: "part", text: PART },
      { kind: "call", number: 6, text: '{"kind":"advance"}' },
      { kind: "call", number: 7, text: '{"kind":"advance","now":7}' },
      { kind: "events", first: 3, last: 4, lines: EVENTS },
    ];
    for (const chunk of [1, 3, 1000]) expect(await entriesIn(made(), chunk)).toEqual(expected);
  });

  test.each<[string, Uint8Array, string]>([
    ["an empty file", new Uint8Array(), "is empty"],
    ["two bytes", new Uint8Array(2), "is not a backup of mkt"],
    ["a text", Buffer.from("kind,format\n1,2\n"), "is not a backup of mkt"],
    ["other compressed lines", Bun.zstdCompressSync(Buffer.from('{"kind":"x"}\n')), "is not a backup of mkt"],
    ["a line without an end", Bun.zstdCompressSync(Buffer.alloc(1 << 20, 32)), "is not a backup of mkt"],
    [
      "a newer format",
      made(undefined, { format: 2, mkt: "9.9" }),
      "has format 2 and was made by mkt 9.9; .* reads format 1; use mkt 9.9 or a newer one",
    ],
    ["a newer journal", made(undefined, { journalFormat: NEXT, mkt: "9.9" }), ofFormat(NEXT, "9.9")],
    ["a journal that is too old", made(undefined, { journalFormat: LAST, mkt: "0.9" }), `${ofFormat(LAST, "0.9")}$`],
    [
      "a version of several lines",
      made(undefined, { format: 2, mkt: "9.9\nmkt: all is well" }),
      String
        .raw`^has format 2 and was made by mkt 9\.9\\nmkt: all is well; [^\n]* use mkt 9\.9\\nmkt: all is well or a newer one$`,
    ],
    ["a very long version", made(undefined, { format: 2, mkt: "9".repeat(9000) }), "use mkt 9{60}\\.{3} \\(8940 more"],
    ["a header that is no JSON", made((to) => to.addHeader("{")), damaged("its header can't be read")],
    [
      "a header that is nested too deeply",
      made((to) => to.addHeader(`{"market":${DEEP}}`)),
      damaged("its header can't be read"),
    ],
    ["a part too many", longer((to) => to.addPart(PART)), damaged("a part .* not in its place")],
    ["a call too many", longer((to) => to.addCall(8, "{}")), damaged("call 8 is not in its place")],
    ["no calls", made((to) => (to.addHeader("{}"), to.addPart("{}"))), damaged("it does not have what")],
    ["no header", made((to) => to.addPart("{}")), damaged("its header is missing")],
    ["events of two places", longer((to) => to.addEvents(6, 7, EVENTS)), "events 6 to 7 are not in"],
    ["events after a hole", withEvents(7, [3, 4], [6, 7]), "events 6 to 7 are not in their place"],
    ["events that come twice", withEvents(5, [3, 4], [4, 5]), "events 4 to 5 are not in their place"],
    ["events in the wrong order", withEvents(5, [4, 5], [2, 3]), "events 2 to 3 are not in their place"],
    ["events that end before they begin", withEvents(5, [4, 3]), "events 4 to 3 are not in their place"],
    ["events that end too early", withEvents(5, [3, 4]), damaged("it does not have what its first line says")],
    [
      "events of too few columns",
      made((to) => (to.addHeader("{}"), to.addPart("{}"), to.addEvents(3, 4, "3\tx\n4\ty\n"))),
      damaged("a line is not as it was written"),
    ],
    [
      "a failure of the engine",
      Buffer.concat([frameOf(AFTER_DESCRIPTION), failureFrame("the disk burns")]),
      "is not whole: the engine could not finish it: the disk burns",
    ],
    [
      "a failure of several lines",
      Buffer.concat([frameOf(AFTER_DESCRIPTION), failureFrame("the disk\nburns")]),
      String.raw`could not finish it: the disk\\nburns$`,
    ],
    ["no end", frameOf(AFTER_DESCRIPTION), "is not whole: its end is missing"],
    ["lines after the end", Buffer.concat([made(), made()]), "is damaged: it goes on after its end"],
  ])("with %s is refused", async (_, bytes, message) => {
    expect(await fault(bytes)).toMatch(new RegExp(message));
  });
});

test("the lines of a backup fill a frame, and those after it begin the next one", () => {
  const encoder = new BackupEncoder();
  const line = "x".repeat(1 << 18);
  for (let frame = 0; frame < 2; frame++) {
    const filled = [0, 1, 2, 3].map((number) => {
      encoder.addCall(number, line);
      return encoder.hasFrame;
    });
    expect(filled).toEqual([false, false, false, true]);
    expect(Bun.zstdDecompressSync(encoder.frame()).toString().split("\n")).toHaveLength(5);
    expect(encoder.hasFrame).toBe(false);
  }
  expect(encoder.counts).toEqual({ parts: 0, calls: 8, blocks: 0 });
});

function frameOf(lines: (encoder: BackupEncoder) => void): Uint8Array {
  const encoder = new BackupEncoder();
  encoder.describe(DESCRIPTION);
  lines(encoder);
  return encoder.frame();
}

describe("a backup of an engine", () => {
  let whole: Uint8Array;
  let entries: BackupEntry[];
  beforeAll(async () => {
    const engine = await run(temporaryDirectory(), Infinity);
    engine.buy(200);
    whole = await bytesIn(beginBackup(backupsOf(engine)));
    await engine.stop();
    entries = await entriesIn(whole);
  });

  test("is refused if it is cut off anywhere", async () => {
    const random = new SeededRandom(SEED);
    await withSeedInFailures(async () => {
      for (let round = 0; round < size(10, 2000); round++) {
        const length = random.integer(0, whole.length - 1);
        expect([length, await fault(whole.subarray(0, length))]).toEqual([length, expect.stringMatching(/^is /)]);
      }
    });
  });

  test("is refused, or read without a difference, if a bit of it is changed anywhere", async () => {
    const random = new SeededRandom(SEED);
    let refused = 0;
    const rounds = size(25, 5000);
    await withSeedInFailures(async () => {
      for (let round = 0; round < rounds; round++) {
        const damaged = whole.slice();
        const at = random.integer(0, whole.length - 1);
        damaged[at] = (damaged[at] ?? 0) ^ (1 << random.integer(0, 7));
        try {
          expect([at, await entriesIn(damaged)]).toEqual([at, entries]);
        } catch (error) {
          if (!(error instanceof BackupFault)) throw error;
          refused += 1;
        }
      }
    });
    expect(refused).toBeGreaterThan(rounds * 0.9);
  });
});
