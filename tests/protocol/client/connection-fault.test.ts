// What a person reads of each error of a connection. None of the runtime's own sentences is shown if there is a code.

import { expect, test } from "bun:test";
import { connectionFault } from "../../../protocol/client/connection-fault.ts";

const CLOSED = "it closed the connection before its answer was complete";
const SILENT = "it gave no answer in time";
const NO_TLS = "it does not speak TLS on this port, or not a version of it that mkt speaks";
const UNTRUSTED = "its TLS certificate is not trusted";

test.each<[string, string]>([
  ["ECONNREFUSED", "nothing there accepts a connection"],
  ["ENOENT", "there is no such socket"],
  ["ECONNRESET", CLOSED],
  ["ECONNABORTED", CLOSED],
  ["EPIPE", CLOSED],
  ["ERR_REDIS_CONNECTION_CLOSED", CLOSED],
  ["ENOTFOUND", "its host name is unknown"],
  ["EAI_AGAIN", "its host name can't be looked up now"],
  ["EHOSTUNREACH", "no network leads there"],
  ["ENETUNREACH", "no network leads there"],
  ["ETIMEDOUT", SILENT],
  ["ABORT_ERR", SILENT],
  ["EPROTO", NO_TLS],
  ["ERR_SSL_WRONG_VERSION_NUMBER", NO_TLS],
  ["EMFILE", "this process has too many files and connections open"],
  ["HPE_INVALID_CONSTANT", "it does not speak HTTP on this port (HPE_INVALID_CONSTANT)"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", `${UNTRUSTED} (DEPTH_ZERO_SELF_SIGNED_CERT)`],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", `${UNTRUSTED} (UNABLE_TO_VERIFY_LEAF_SIGNATURE)`],
  ["ERR_TLS_CERT_ALTNAME_INVALID", `${UNTRUSTED} (ERR_TLS_CERT_ALTNAME_INVALID)`],
  ["ERR_SSL_NO_CIPHER", `${NO_TLS} (ERR_SSL_NO_CIPHER)`],
  ["SOMETHING_NEW", "the connection failed (SOMETHING_NEW)"],
])("%s is said as a clause", (code, clause) => {
  const error = Object.assign(new Error("Is the computer able to access the url?"), { code });
  expect(connectionFault(error)).toBe(clause);
  // A time limit comes first, and says nothing of what happened before.
  expect(connectionFault(Object.assign(error, { name: "TimeoutError" }))).toBe(SILENT);
});

test.each<[string, unknown, string]>([
  ["a time limit", new DOMException("m", "TimeoutError"), SILENT],
  ["an abort", new DOMException("m", "AbortError"), SILENT],
  [
    "an answer without a WebSocket",
    new Error("Expected 101 status code: 404"),
    "it answered a WebSocket's request with status 404",
  ],
  ["an error without a code", new Error("one\n  two"), "one two"],
  ["a text", "odd\ttext", "odd text"],
  ["nothing", null, "null"],
  ["nothing at all", undefined, "undefined"],
])("%s is one line", (_what, error, expected) => {
  expect(connectionFault(error)).toBe(expected);
});
