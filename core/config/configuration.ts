// What the environment configures, after parsing; environment.ts makes it. Units are in the names.

import type { LogLevel } from "../../common/logger.ts";

export interface ConfigurationFault {
  readonly variable: string;
  readonly message: string;
}

export interface Configuration {
  readonly backend: {
    readonly host: string;
    readonly baseUrl: string;
    readonly webSocketUrl: string;
    readonly bearerToken: string | null;
    readonly userId: string;
    /** Null: any user. */
    readonly allowedUserIds: readonly string[] | null;
    readonly confirmTimeoutMs: number;
    readonly autoConnect: boolean;
  };
  /** Base URL of the simulator's control API. */
  readonly simulatorUrl: string;
  /** Null: stdio. */
  readonly http: HttpConfiguration | null;
  readonly packs: {
    /** Null: all. */
    readonly names: readonly string[] | null;
    readonly readOnly: boolean;
    readonly directory: string | null;
  };
  /** What an order may come to; the engine holds them (core/guardrails/order-bounds.ts). Null: off. */
  readonly limits: {
    /** MW. */
    readonly maxOrderQuantity: number | null;
    /** Dollars. */
    readonly maxOrderNotional: number | null;
    /** Of the acting user. */
    readonly maxOpenOrders: number | null;
    /** Dollars, over the acting user's open orders. */
    readonly maxOpenNotional: number | null;
    /** MW, of the acting user in each contract. */
    readonly maxNetPosition: number | null;
  };
  readonly guardrails: {
    /** Absolute path of the kill switch; null: there is none. */
    readonly freezeFile: string | null;
    /** `stderr`, or an absolute path; null: no log of calls. */
    readonly callLog: string | null;
    /** Whether a person must agree to what can't be undone. */
    readonly confirm: boolean;
  };
  readonly eventBufferSize: number;
  readonly audit: {
    readonly store: "azure" | "backend";
    readonly tableEndpoint: string | null;
    readonly accountName: string | null;
    readonly accountKey: string | null;
  };
  readonly stressTestSecret: string | null;
  readonly logLevel: LogLevel;
}

export interface HttpConfiguration {
  readonly port: number;
  readonly host: string;
  /** Null here and in `tokenFile`: authentication is off. */
  readonly bearerToken: string | null;
  /** Path of a file of named tokens. */
  readonly tokenFile: string | null;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Requests a second for each client; null: off. */
  readonly rateLimit: number | null;
  /** 401 answers a second to each address. */
  readonly unauthorizedLimit: number;
  readonly maxBodyBytes: number;
  /** From the first to the last byte of a request's body. */
  readonly bodyTimeoutMs: number;
  /** Requests under way at once. */
  readonly maxRequests: number;
}
