const form = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Reads a time of a match file: a date, or a date and a time of day. Without a zone it is UTC, on every machine.
 *
 * @returns milliseconds since the epoch (negative before 1970), undefined when it is no time
 */
export function parseRecordedTime(text: string): number | undefined {
  const [, day, minute = '00:00', second = ':00', zone = 'Z'] = form.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const time = Date.parse(`${day}T${minute}${second}${zone}`);
  return Number.isNaN(time) ? undefined : time;
}

/** Left alone, `Date` takes 30 February for 1 March. */
function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
