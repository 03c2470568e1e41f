// Which requests with a browser's session come from a page of this server.

import { expect, test } from "bun:test";
import { foreignPageRefusal } from "../../../../core/server/sessions/own-page.ts";

type Headers = Readonly<Record<string, string>>;
const OWN = { Host: "mkt.example", "Sec-Fetch-Site": "same-origin" };

test.each<[string, Headers, string | null, string | null]>([
  ["GET", OWN, "t", null],
  ["GET", { Host: "mkt.example" }, "t", null],
  ["HEAD", { ...OWN, "Sec-Fetch-Site": "none" }, "t", null],
  ["GET", { ...OWN, "Sec-Fetch-Site": "same-site" }, "t", "forbidden_page"],
  ["GET", { ...OWN, "Sec-Fetch-Site": "cross-site" }, null, "forbidden_page"],
  ["POST", { ...OWN, "Sec-Fetch-Site": "none", "X-Mkt-Request": "t" }, "t", "forbidden_page"],
  ["POST", { ...OWN, "Sec-Fetch-Site": "cross-site", "X-Mkt-Request": "t" }, "t", "forbidden_page"],
  ["GET", { Host: "mkt.example", Origin: "http://mkt.example" }, "t", null],
  ["GET", { Host: "mkt.example:80", Origin: "http://mkt.example" }, "t", null],
  ["GET", { Host: "mkt.example", Origin: "http://mkt.example:3001" }, "t", "forbidden_page"],
  ["GET", { Host: "mkt.example", Origin: "http://mkt.example.evil" }, "t", "forbidden_page"],
  ["GET", { Host: "mkt.example", Origin: "null" }, "t", "forbidden_page"],
  ["POST", OWN, "t", "forbidden_page"],
  ["DELETE", OWN, null, "forbidden_page"],
  ["POST", { ...OWN, "X-Mkt-Request": "t" }, "t", null],
  ["DELETE", { ...OWN, "X-Mkt-Request": "none" }, null, null],
  ["POST", { ...OWN, "X-Mkt-Request": "none" }, "t", "session_changed"],
  ["POST", { ...OWN, "X-Mkt-Request": "t" }, null, "session_changed"],
  ["POST", { ...OWN, "X-Mkt-Request": "tt" }, "t", "session_changed"],
  ["POST", { ...OWN, "X-Mkt-Request": "u" }, "t", "session_changed"],
])("%s with %p and the request token %p is refused as %p", (method, headers, requestToken, code) => {
  const refused = foreignPageRefusal(new Request("http://mkt.example/", { method, headers }), requestToken);
  expect(refused?.code ?? null).toBe(code);
  if (refused !== null) expect(refused.status).toBe(403);
});

test("a page without the header is told what to send", () => {
  const told = (requestToken: string | null) =>
    foreignPageRefusal(new Request("http://mkt.example/", { method: "POST", headers: OWN }), requestToken)?.message;
  expect(told(null)).toContain("send none");
  expect(told("t")).toContain("the session's request token");
});
