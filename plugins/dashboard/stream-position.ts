// Where a stream goes on: `EPOCH.SEQUENCE` of the last event, and if known `.USER.STATE.VERSION`: a mark of the acting user, a
// mark of this process's rows, and their version. With these the next stream only sends what has changed. Without them, or
// after a restart of the server, it sends the whole state, and goes on with the events all the same.

export interface StreamPosition {
  readonly epoch: number;
  readonly sequence: number;
  readonly rows: RowsPosition | null;
}

export interface RowsPosition {
  readonly user: string;
  readonly state: string;
  readonly version: number;
}

const MAX_LENGTH = 200;
const POSITION = /^(\d{1,16})\.(\d{1,16})(?:\.([0-9a-z]+)\.([0-9a-z]+)\.(\d{1,16}))?$/;

export function positionText({ epoch, sequence, rows }: StreamPosition): string {
  const text = `${epoch}.${sequence}`;
  return rows === null ? text : `${text}.${rows.user}.${rows.state}.${rows.version}`;
}

/** Null if the text is no position: a stream without one begins anew. */
export function positionOf(text: string | null): StreamPosition | null {
  if (text === null || text.length > MAX_LENGTH) return null;
  const [, epoch, sequence, user, state, version] = POSITION.exec(text) ?? [];
  if (epoch === undefined || sequence === undefined) return null;
  const rows = user === undefined || state === undefined ? null : { user, state, version: Number(version) };
  return { epoch: Number(epoch), sequence: Number(sequence), rows };
}
