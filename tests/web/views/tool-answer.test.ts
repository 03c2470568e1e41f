import { describe, expect, test } from "bun:test";
import { answerOf, answerToFailure } from "../../../web/views/tool-answer.ts";

const text = (value: unknown) => [{ type: "text", text: JSON.stringify(value) }];

describe("an answer", () => {
  test("is the structured content, or else the JSON of the text", () => {
    expect(answerOf({ content: text({ id: 1 }), structuredContent: { id: 2 } })).toEqual({
      kind: "result",
      result: { id: 2 },
    });
    expect(answerOf({ content: text({ id: 1 }) })).toEqual({ kind: "result", result: { id: 1 } });
  });

  test("is an error with the words of the tool, and its advice", () => {
    const error = { code: "not_found", message: "There is no contract x.", hint: "Give one of a, b." };
    expect(answerOf({ content: text({ error }), isError: true })).toEqual({ kind: "error", report: error });
  });

  test.each(["not_connected", "forbidden"])("has advice for a person if the code is %s", (code) => {
    const error = { code, message: "No.", hint: "Call mkt_other." };
    const answer = answerOf({ content: text({ error }), isError: true });
    expect(answer).toMatchObject({
      kind: "error",
      report: { code, message: "No.", hint: expect.stringMatching(/^Ask /) },
    });
  });

  test.each([
    [{ content: [{ type: "text", text: "Out of order" }], isError: true }, "Out of order"],
    [{ content: text({ id: 1 }), structuredContent: { id: 1 }, isError: true }, '{"id":1}'],
    [{ content: [{ type: "text", text: "no JSON" }] }, "no JSON"],
    [{ content: [{ type: "text", text: "[1]" }] }, "[1]"],
    [{ content: [{ type: "image", text: "a picture" }, { type: "text", text: "no JSON" }] }, "no JSON"],
    [{ content: [] }, "The tool gave no result."],
    [{}, "The tool gave no result."],
  ])("without a result is an error: %j", (result, message) => {
    expect(answerOf(result)).toMatchObject({ kind: "error", report: { code: "no_result", message } });
  });
});

test.each([
  ["MCP error -32602: Tool mkt_sim_status not found; did you mean mkt_x?", "no_tool", /mkt_sim_status/],
  ["Tool mkt_sim_status not found", "no_tool", /mkt_sim_status/],
  ["Timeout of 10 s", "timeout", /no answer in time/],
  ["Request timed out", "timeout", /no answer in time/],
  ["The person refused", "host", /The person refused/],
])("a call that fails with %p has the code %p", (message, code, words) => {
  const answer = answerToFailure(new Error(message));
  expect(answer).toMatchObject({ kind: "error", report: { code } });
  expect(answer.kind === "error" && answer.report.message).toMatch(words);
});
