import { describe, expect, test } from "bun:test";
import { csvText, fileName, plainNumber, tabbedText } from "../../../web/dashboard/take-along/csv.ts";

const cells = (...row: string[]) => csvText({ headings: ["a"], rows: [row] }).split("\r\n")[1];

describe("a table as CSV", () => {
  test("has a line for the headings and one for each row, each ended with CR and LF", () => {
    expect(csvText({ headings: ["Contract", "Bid, $/MWh"], rows: [["N-6", "46.00"], ["N-7", ""]] }))
      .toBe('Contract,"Bid, $/MWh"\r\nN-6,46.00\r\nN-7,\r\n');
    expect(csvText({ headings: [], rows: [] })).toBe("\r\n");
  });

  test("quotes cells with separators, quotes or line ends, and doubles quotes", () => {
    expect(cells("a,b", "c;d", 'e"f', "g\nh", "i\tj", "plain text")).toBe(
      '"a,b","c;d","e""f","g\nh","i\tj",plain text',
    );
  });

  test.each(["=1+1", "+A1", "-A1", "@SUM(A1)", "-1+1", "+1 5", "＝1", "\t=1", "\r=1", '=HYPERLINK("x")'])(
    "makes the formula %j harmless",
    (formula) => {
      const shown = cells(formula)!;
      expect(shown.replace(/^"/, "")).toStartWith("'");
      expect(shown.replaceAll(/^"|"$/g, "").replaceAll('""', '"')).toBe(`'${formula}`);
    },
  );

  test("leaves numbers as they are, and words that only contain such signs", () => {
    expect(cells("-12.50", "+3", "0", "a=b", "5 − 3", "−1")).toBe("-12.50,+3,0,a=b,5 − 3,−1");
  });
});

test("a table for the clipboard has one line for each row, however its cells are, and no formula", () => {
  expect(tabbedText({ headings: ["a", "b"], rows: [["x\ny\tz", "=1"], ["1", "-2"]] })).toBe("a\tb\nx y z\t'=1\n1\t-2");
});

test.each([
  ["1,234.50", "1234.50"],
  ["−12.00", "-12.00"],
  ["-3", "-3"],
  ["+1,234,567", "1234567"],
  ["0012", "0012"],
  ["0.25", "0.25"],
  ["–", null],
  ["12,34", null],
  ["5 MW", null],
  ["", null],
  ["1e5", null],
  ["+", null],
])("the number %j is read as %p", (shown, expected) => {
  expect(plainNumber(shown)).toBe(expected);
});

test("a file is named after what it has and the market time", () => {
  const at = Date.parse("2026-11-23T12:00:00.500Z");
  expect(fileName("Positions by contract", at, "csv")).toBe("mkt-positions-by-contract-2026-11-23T12-00-00.csv");
  expect(fileName("../../<img>", null, "png")).toBe("mkt-img.png");
  expect(fileName("–", null, "csv")).toBe("mkt-table.csv");
  expect(fileName("x".repeat(500), null, "csv")).toHaveLength(88);
});
