// Local times of day as instants. A local time that occurs twice, because clocks are set back, is its first occurrence;
// one that is skipped, because clocks are set forward, is the instant of the change. So local times never change their
// order.

/** `time`: a local time such as 08:30. Returns milliseconds since the epoch. */
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
