// Reads times from ISO texts. Nearly all have the form in which JavaScript writes them, which is read in an eighth of the time
// of Date.parse.

const [ZERO, MINUS, POINT, COLON, T, Z] = [48, 45, 46, 58, 84, 90] as const;
/** Of YYYY-MM-DDTHH:MM:SS.sssZ. */
const LENGTH = 24;

let lastMonth = NaN;
let lastMonthStart = NaN;

/** The time that an ISO text says, in milliseconds since the epoch, as Date.parse reads it; NaN if it says none. */
export function timeFrom(text: string): number {
  const time = utcTimeFrom(text);
  return Number.isNaN(time) ? Date.parse(text) : time;
}

/** The time of a text as `isoTime` writes it; NaN if it has another form, or perhaps no such day or hour. */
function utcTimeFrom(text: string): number {
  if (text.length !== LENGTH || text.charCodeAt(10) !== T || text.charCodeAt(23) !== Z) return NaN;
  if (text.charCodeAt(4) !== MINUS || text.charCodeAt(7) !== MINUS || text.charCodeAt(19) !== POINT) return NaN;
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return NaN;
  const monthOfYear = digitsAt(text, 5, 2);
  const month = 12 * digitsAt(text, 0, 4) + monthOfYear;
  const day = digitsAt(text, 8, 2);
  const hour = digitsAt(text, 11, 2);
  const minute = digitsAt(text, 14, 2);
  const second = digitsAt(text, 17, 2);
  // Every month has these days.
  if (!(monthOfYear >= 1 && monthOfYear <= 12 && day >= 1 && day <= 28)) return NaN;
  if (!(hour < 24 && minute < 60 && second < 60)) return NaN;
  if (month !== lastMonth) {
    lastMonthStart = Date.parse(`${text.slice(0, 7)}-01T00:00:00.000Z`);
    lastMonth = month;
  }
  const minutes = ((day - 1) * 24 + hour) * 60 + minute;
  return lastMonthStart + (minutes * 60 + second) * 1000 + digitsAt(text, 20, 3);
}

/** NaN if they aren't digits. */
function digitsAt(text: string, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : NaN;
  }
  return value;
}
