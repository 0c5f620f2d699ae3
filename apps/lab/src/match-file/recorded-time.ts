import { BrokenRow, quote } from './broken-row.js';

/** A day or a year as digits alone, as other programs export them. */
const digits = /^(\d{4})(?:(\d{2})(\d{2}))?$/;
const form = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Parses a time of a match file: a date, a date and a time of day, 20100328, or a year. Without a zone it is UTC, on every
 * machine. A year is its first day.
 *
 * @returns milliseconds since the epoch (negative before 1970), undefined if it is not a time
 */
export function parseRecordedTime(text: string): number | undefined {
  const [, year, month = '01', dayOfMonth = '01'] = digits.exec(text) ?? [];
  const dashed = year === undefined ? text : `${year}-${month}-${dayOfMonth}`;
  const [, day, minute = '00:00', second = ':00', zone = 'Z'] = form.exec(dashed) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const time = Date.parse(`${day}T${minute}${second}${zone}`);
  return Number.isNaN(time) ? undefined : time;
}

/**
 * @param name the name of the field, for the reason
 * @param latest the latest possible time, in milliseconds since the epoch
 * @throws BrokenRow for a time in the future
 */
export function checkPast(name: string, text: string, time: number, latest: number): void {
  if (time > latest)
    throw new BrokenRow(
      `${name} ${quote(text)} is in the future; the latest time is ${new Date(latest).toISOString()}`,
    );
}

/** `Date` would parse 30 February as 1 March. */
function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
