import { beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isCredential, MAX_FILE_BYTES, readTokenFile } from "../../../common/http/token-file.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const FOLDER = temporaryDirectory();
const FILE = join(FOLDER, "tokens");
const LONG_ENOUGH = "x".repeat(16);

beforeEach(() => {
  rmSync(FILE, { recursive: true, force: true });
});

function write(text: string, mode = 0o600): void {
  writeFileSync(FILE, text, { mode });
}

describe("a token file", () => {
  test("has a name and a token on each line, with blank lines and comments in between", () => {
    write("# desks\n\ndesk token-number-one--\r\n  robot\ttoken-number-two--  \ndesk token-number-three");
    expect(readTokenFile(FILE)).toEqual({
      tokens: [
        { name: "desk", token: "token-number-one--", userIds: null, isPerson: false },
        { name: "robot", token: "token-number-two--", userIds: null, isPerson: false },
        { name: "desk", token: "token-number-three", userIds: null, isPerson: false },
      ],
      faults: [],
      warnings: [],
    });
  });

  test("says which tokens people hold; a line that doesn't say is an agent's", () => {
    write([
      `desk ${LONG_ENOUGH}1 person`,
      `desk ${LONG_ENOUGH}2`,
      `robot ${LONG_ENOUGH}3 agent`,
      ...["Person", "people", "anna", "person agent"].map((word, at) => `other ${LONG_ENOUGH}other${at} ${word}`),
    ].join("\n"));
    const { tokens, faults } = readTokenFile(FILE);
    expect(tokens.map(({ name, isPerson }) => [name, isPerson]))
      .toEqual([["desk", true], ["desk", false], ["robot", false]]);
    const fault = "must be a name and a token, and may end with person or agent";
    expect(faults).toEqual([4, 5, 6, 7].map((line) => `line ${line}: ${fault}`));
  });

  test("of an engine has user ids, too, or * for every user", () => {
    write(`desk ${LONG_ENOUGH}1 anna\ndesk ${LONG_ENOUGH}2 anna,bert@acme\nrobot ${LONG_ENOUGH}3 *\n`);
    const { tokens, faults } = readTokenFile(FILE, "names_and_users");
    expect(tokens.map(({ userIds }) => userIds)).toEqual([["anna"], ["anna", "bert@acme"], null]);
    expect(faults).toEqual([]);
  });

  test("names each fault by its line and never by its token; the other lines are valid", () => {
    write(`hunter2-and-14-more
de/sk hunter3-and-14-more
desk hunter4 hunter5-and-more
robot hünter6-and-14-more
good hunter7-and-14-more
good hunter7-and-14-more
short hunter8`);
    const { tokens, faults } = readTokenFile(FILE);
    expect(tokens).toEqual([{ name: "good", token: "hunter7-and-14-more", userIds: null, isPerson: false }]);
    expect(faults).toEqual([
      "line 1: must be a name and a token, and may end with person or agent",
      "line 2: the name must be 1 to 64 letters, digits, dots, dashes or underscores",
      "line 3: must be a name and a token, and may end with person or agent",
      "line 4: the token must be printable ASCII",
      "line 6: the token is the same as on the line of good",
      "line 7: the token must have at least 16 characters",
    ]);
  });

  test("of an engine has faults for lines without users and lists with gaps", () => {
    write([`a ${LONG_ENOUGH}`, `b ${LONG_ENOUGH}b x y`, `c ${LONG_ENOUGH}c x,,y`, `d ${LONG_ENOUGH}d x,`].join("\n"));
    expect(readTokenFile(FILE, "names_and_users")).toMatchObject({
      tokens: [],
      faults: [
        "line 1: must be a name, a token and user ids",
        "line 2: must be a name, a token and user ids",
        "line 3: the user ids must be separated by single commas, or * for every user",
        "line 4: the user ids must be separated by single commas, or * for every user",
      ],
    });
  });

  const OF_ENGINE = `desk ${LONG_ENOUGH}`;
  test.each(
    [
      ["tokens of 16 characters", "names_and_holders", `desk ${"x".repeat(16)}`, `desk ${"x".repeat(15)}`],
      ["tokens of 4096 characters", "names_and_holders", `desk ${"x".repeat(4096)}`, `desk ${"x".repeat(4097)}`],
      [
        "names of 64 characters",
        "names_and_holders",
        `${"n".repeat(64)} ${LONG_ENOUGH}`,
        `${"n".repeat(65)} ${LONG_ENOUGH}`,
      ],
      ["user ids of 200", "names_and_users", `${OF_ENGINE} ${"u".repeat(200)}`, `${OF_ENGINE} ${"u".repeat(201)}`],
    ] as const,
  )("accepts %s, and no others", (_limit, format, at, beyond) => {
    write(at);
    expect(readTokenFile(FILE, format)).toMatchObject({ tokens: [{}], faults: [] });
    write(beyond);
    expect(readTokenFile(FILE, format)).toMatchObject({ tokens: [], faults: [expect.stringContaining("line 1: ")] });
  });

  test("may have 1 MiB, and not one byte more", () => {
    const line = `desk ${LONG_ENOUGH}\n#`;
    write(line.padEnd(MAX_FILE_BYTES, "."));
    expect(readTokenFile(FILE)).toMatchObject({ tokens: [{}], faults: [] });
    write(line.padEnd(MAX_FILE_BYTES + 1, "."));
    expect(() => readTokenFile(FILE)).toThrow(`${FILE} is larger than 1048576 bytes`);
  });

  test.each(["", "# nothing\n"])("without a token is a fault: %p", (text) => {
    write(text);
    expect(readTokenFile(FILE).faults).toEqual(["it has no token"]);
  });

  test("must be a regular file: a folder, a pipe and a device are refused without waiting", () => {
    mkdirSync(FILE);
    expect(() => readTokenFile(FILE)).toThrow(/is not a regular file|EISDIR/);
    rmSync(FILE, { recursive: true });
    expect(Bun.spawnSync(["mkfifo", FILE]).exitCode).toBe(0);
    expect(() => readTokenFile(FILE)).toThrow(`${FILE} is not a regular file`);
    expect(() => readTokenFile("/dev/zero")).toThrow("/dev/zero is not a regular file");
  });

  test("is closed again, whatever its content", () => {
    write(`desk ${LONG_ENOUGH}`);
    const open = () => readdirSync("/proc/self/fd").length;
    const before = open();
    for (let count = 0; count < 20; count++) {
      readTokenFile(FILE);
      expect(() => readTokenFile("/dev/zero")).toThrow();
    }
    expect(open()).toBeLessThan(before + 10);
  });

  test("may be a symbolic link to a regular file, as secrets in containers are", () => {
    write(`desk ${LONG_ENOUGH}`);
    const link = join(FOLDER, "link");
    symlinkSync(FILE, link);
    expect(readTokenFile(link)).toMatchObject({ tokens: [{ name: "desk" }], warnings: [] });
  });

  test.each([[0o640, true], [0o604, true], [0o620, true], [0o666, true], [0o600, false], [0o400, false], [
    0o700,
    false,
  ]])(
    "of mode %p gives a warning if others may read or write it: %p",
    (mode, isWarned) => {
      write(`desk ${LONG_ENOUGH}`);
      chmodSync(FILE, mode);
      const { tokens, faults, warnings } = readTokenFile(FILE);
      expect({ count: tokens.length, faults }).toEqual({ count: 1, faults: [] });
      const octal = `0${mode.toString(8)}`;
      const warning = `${FILE} has the mode ${octal}, so others on this machine may read its tokens: chmod 600 ${FILE}`;
      expect(warnings).toEqual(isWarned ? [warning] : []);
    },
  );

  test("that systemd gives to the service gets no warning, and only one in its folder is such a file", () => {
    write(`desk ${LONG_ENOUGH}`);
    chmodSync(FILE, 0o640);
    const before = process.env["CREDENTIALS_DIRECTORY"];
    const credentials = ["", FOLDER, `${FOLDER}/`].map((folder) => {
      process.env["CREDENTIALS_DIRECTORY"] = folder;
      return [readTokenFile(FILE).warnings.length, isCredential(`${FOLDER}2/tokens`)];
    });
    if (before === undefined) delete process.env["CREDENTIALS_DIRECTORY"];
    else process.env["CREDENTIALS_DIRECTORY"] = before;
    expect(credentials).toEqual([[1, false], [0, false], [0, false]]);
  });
});
