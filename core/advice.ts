// The last sentences of core's own error messages: what a caller does next. Core knows no tool, so its own sentences
// name none. A pack that has the tools for it declares better sentences (Pack.advice).

/** Each field is one or more whole sentences. */
export interface Advice {
  /** The call needs a connection to the market, and there is none. */
  readonly connectFirst: string;
  /** The connection was lost and is being restored. */
  readonly waitForReconnect: string;
  /** A disconnect ended the attempt to connect. */
  readonly connectAgain: string;
  /** The process is connected as another user. */
  readonly disconnectFirst: string;
  /** The acting user lacks this permission. */
  readonly connectWithPermission: (permission: string) => string;
  /** The engine does not know the user. */
  readonly unknownUser: string;
  /** The engine sent messages that can't be read. */
  readonly unreadableMessages: string;
  /** It is unknown whether the simulation was started. */
  readonly unknownSimulationStart: string;
  /** It is unknown whether the simulation was stopped. */
  readonly unknownSimulationStop: string;
  /** It is unknown whether the market event was triggered. */
  readonly unknownMarketEvent: string;
}

/** Used for what no pack declares. */
export const NEUTRAL_ADVICE: Advice = {
  connectFirst: "Connect to the market first.",
  waitForReconnect: "Repeat the call once the connection is back.",
  connectAgain: "Connect again.",
  disconnectFirst: "Disconnect first, then connect as the other user.",
  connectWithPermission: (permission) => `Connect as a user who holds ${permission}.`,
  unknownUser: "Pass the userId of a registered user.",
  unreadableMessages: "Check that the engine speaks the protocol of this version.",
  unknownSimulationStart: "Check whether the simulation runs; a repeat changes nothing if it does.",
  unknownSimulationStop: "Check whether the simulation has stopped; a repeat changes nothing if it has.",
  unknownMarketEvent: "Check which market events act now before you repeat it.",
};
