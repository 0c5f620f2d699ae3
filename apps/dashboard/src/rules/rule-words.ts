import { durationWords, numberWords } from '../ui/values/words.js';

/** Names of fields that read better than those of the document. */
const labels: ReadonlyMap<string, string> = new Map([
  ['name', 'Queue'],
  ['mode', 'Game mode'],
  ['pool', 'Rating pool'],
  ['teamSize', 'Players on a team'],
  ['maxPartySize', 'Largest party'],
  ['latencyLimitMs', 'Latency limit'],
  ['pairPartiesSeconds', 'Parties face parties for'],
  ['ticketTtlSeconds', 'Tickets expire after'],
  ['placementTimeoutSeconds', 'Matches wait for a server for'],
  ['noShows', 'No-shows'],
  ['placement', 'Choice of servers'],
  ['seconds', 'Time'],
]);

/** `smallerTeams` as `Smaller teams`; units at the end are part of the value. */
export function labelOf(field: string): string {
  const label = labels.get(field);
  if (label !== undefined) return label;
  const words = field
    .replace(/(Seconds|Ms|Minutes|Days)$/, '')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The unit of a curve's limits. */
export const curveUnit = (field: string): string => (field === 'latencyLimitMs' ? 'ms' : 'points');

interface Corner {
  readonly afterSeconds: number;
  readonly limit: number | null;
}

/** `4 points at first, 8 points after 5 s, no limit after 45 s`. */
export function curveWords(curve: readonly Corner[], unit: string): string {
  return curve
    .map(({ afterSeconds, limit }) => {
      const what = limit === null ? 'no limit' : `${numberWords(limit)} ${unit}`;
      return afterSeconds === 0 ? `${what} at first` : `${what} after ${durationWords(1_000 * afterSeconds)}`;
    })
    .join(', ');
}

const secondsWords = (value: number): string => (value === 0 ? '0 s' : durationWords(1_000 * value));
const units: readonly (readonly [end: string, of: (value: number) => string])[] = [
  ['Seconds', secondsWords],
  ['seconds', secondsWords],
  ['Minutes', (value) => `${numberWords(value)} min`],
  ['Days', (value) => `${numberWords(value)} d`],
  ['Ms', (value) => `${numberWords(value)} ms`],
];

/** The value of a field in words. */
export function valueWords(field: string, value: unknown): string {
  if (value === null) return field === 'apartSeconds' ? 'never' : 'always';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number')
    return (units.find(([end]) => field.endsWith(end))?.[1] ?? numberWords)(value);
  if (isCurve(value)) return curveWords(value, curveUnit(field));
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value;
    if (entries.length === 0) return 'none';
    const isFlat = !entries.some((entry) => typeof entry === 'object' && entry !== null);
    return entries.map((entry) => valueWords(field, entry)).join(isFlat ? ', ' : '; ');
  }
  if (typeof value === 'object' && value !== undefined)
    return Object.entries(value)
      .map(([name, each]) => `${labelOf(name).toLowerCase()} ${valueWords(name, each)}`)
      .join(', ');
  return String(value);
}

function isCurve(value: unknown): value is readonly Corner[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((corner: unknown) => typeof corner === 'object' && corner !== null && 'limit' in corner)
  );
}
