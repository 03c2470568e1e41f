// One HTTP request of `mkt doctor` to what mkt itself reaches without a proxy: its own port, and a receiver of OTLP. `fetch`
// would send it to HTTP_PROXY.

import { request as requestByHttp } from "node:http";
import { request as requestByHttps } from "node:https";
import { connectionFault } from "../../protocol/client/connection-fault.ts";

interface DirectRequest {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  /** PEM texts. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly timeoutMs: number;
}

/** More of an answer is not kept. */
const MAX_TEXT = 10_000;

/** The body of the request is empty. Rejects with an Error of one line if there is no answer in time. */
export function directRequest(
  url: string,
  { method = "GET", headers = {}, tls = {}, timeoutMs }: DirectRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly status: number; readonly text: string }>();
  const request = url.startsWith("https:") ? requestByHttps : requestByHttp;
  const signal = AbortSignal.timeout(timeoutMs);
  const fail = (error: unknown) =>
    reject(new Error(signal.aborted ? `no answer within ${timeoutMs} ms` : connectionFault(error), { cause: error }));
  const asked = request(url, { method, headers: { ...headers, "Content-Length": "0" }, ...tls, signal }, (response) => {
    let text = "";
    response.setEncoding("utf8");
    response.on("data", (part: string) => {
      if (text.length < MAX_TEXT) text += part;
    });
    response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    response.on("error", fail);
  });
  asked.on("error", fail);
  asked.end();
  return promise;
}
