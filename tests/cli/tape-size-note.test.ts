import { expect, test } from "bun:test";
import { tapeSizeNote } from "../../cli/simulation/tape-size-note.ts";

/** What is said while a tape grows by so many bytes an hour in a run of so many hours. */
function notesOf(bytesAnHour: number, hours: number): string[] {
  const notes: string[] = [];
  const tape = { path: "/tapes/calm", bytes: 0 };
  const passed = tapeSizeNote(tape, hours, (text) => void notes.push(text));
  for (let done = 0.25; done <= hours; done += 0.25) {
    tape.bytes = bytesAnHour * done;
    passed(done);
  }
  return notes;
}

test("a tape that becomes large is told once, with its size at the end and what is smaller", () => {
  expect(notesOf(5e6, 24)).toEqual([
    "tape /tapes/calm: about 120 MB are coming; with --tape-format parquet it takes a tenth",
  ]);
});

test.each([[1e6, 24], [5e6, 9], [500e6, 0.5]])(
  "a tape of %d bytes an hour over %d hours is not told",
  (bytes, hours) => {
    expect(notesOf(bytes, hours)).toEqual([]);
  },
);
