// Converts local times of day to instants. When clocks are set back, a local time that occurs twice means its first
// occurrence. When clocks are set forward, a skipped local time means the instant of the change. So a later local time
// never becomes an earlier instant.

/** Milliseconds since the epoch. `time`: a local time such as 08:30. */
export function instantOf(date: Temporal.PlainDate, time: string, timezone: string): number {
  const local = date.toPlainDateTime(Temporal.PlainTime.from(time));
  const zoned = local.toZonedDateTime(timezone, { disambiguation: "earlier" });
  if (zoned.toPlainDateTime().equals(local)) return zoned.epochMilliseconds;
  const change = zoned.getTimeZoneTransition("next");
  if (change === null) throw new RangeError(`${local} does not exist in ${timezone}`);
  return change.epochMilliseconds;
}

/** The local date at `time`, milliseconds since the epoch. */
export function localDateAt(time: number, timezone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timezone).toPlainDate();
}
