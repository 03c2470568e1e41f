// The configuration, parsed from the environment by environment.ts.

import type { LogLevel } from "../../common/log-levels.ts";

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
    /** The variable that the token came from, with the file if it is in one. */
    readonly tokenSetting: string;
    readonly userId: string;
    /** The only engine to work with, by its market's id; null: any. */
    readonly engineId: string | null;
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
  /** Whether tools/list has the output schemas. */
  readonly outputSchemas: boolean;
  /** Limits on orders, which the engine enforces (core/guardrails/order-bounds.ts). Null: no limit. */
  readonly limits: {
    /** MW. */
    readonly maxOrderQuantity: number | null;
    /** Dollars. */
    readonly maxOrderNotional: number | null;
    /** For the acting user. */
    readonly maxOpenOrders: number | null;
    /** Dollars, over all open orders of the acting user. */
    readonly maxOpenNotional: number | null;
    /** MW, for the acting user in each contract. */
    readonly maxNetPosition: number | null;
  };
  readonly guardrails: {
    /** Absolute path of the kill switch; null: none. */
    readonly freezeFile: string | null;
    /** `stderr`, or an absolute path; null: no log of calls. */
    readonly callLog: string | null;
    /** Whether a person must agree before a call that can't be undone. */
    readonly confirm: boolean;
  };
  readonly eventBufferSize: number;
  readonly audit: {
    readonly store: "azure" | "backend";
    readonly tableEndpoint: string | null;
    readonly accountName: string | null;
    readonly accountKey: string | null;
  };
  /** What replicas of this server share; null: nothing. */
  readonly redis: {
    /** May contain a password. */
    readonly url: string;
    readonly namespace: string;
  } | null;
  readonly stressTestSecret: string | null;
  /** Whether the HTTP server has the dashboard. */
  readonly dashboard: boolean;
  readonly logLevel: LogLevel;
}

export interface HttpConfiguration {
  readonly port: number;
  readonly host: string;
  /** Authentication is off if this and `tokenFile` are null. */
  readonly bearerToken: string | null;
  /** Path of a file of named tokens. */
  readonly tokenFile: string | null;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Requests a second for each client; null: off. */
  readonly rateLimit: number | null;
  /** 401 answers a second for each address. */
  readonly unauthorizedLimit: number;
  readonly maxBodyBytes: number;
  /** For the whole body of a request. */
  readonly bodyTimeoutMs: number;
  /** Concurrent requests. */
  readonly maxRequests: number;
}
