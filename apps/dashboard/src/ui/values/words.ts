// How values are written. Pure, so that they can be tested.
const parts = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** A duration in at most two units, such as `3 min 20 s`; below a second in milliseconds. */
export function durationWords(ms: number): string {
  if (!Number.isFinite(ms)) return '–';
  const rounded = ms < 1_000 ? Math.round(ms) : Math.round(ms / 1_000) * 1_000;
  if (rounded < 1_000) return `${rounded} ms`;
  const at = parts.findIndex(([, each]) => rounded >= each);
  const [unit, size] = parts[at] ?? ['s', 1_000];
  const whole = Math.floor(rounded / size);
  const next = parts[at + 1];
  const rest = next ? Math.floor((rounded - whole * size) / next[1]) : 0;
  return next && rest > 0 ? `${whole} ${unit} ${rest} ${next[0]}` : `${whole} ${unit}`;
}

/** How long ago a time is, or in how long, in one unit: `5 min ago`, `in 2 h`, `now`. */
export function agoWords(at: number, now: number): string {
  const ms = Math.abs(now - at);
  if (ms < 1_000) return 'now';
  const [unit, size] = parts.find(([, each]) => ms >= each) ?? ['s', 1_000];
  const words = `${Math.floor(ms / size)} ${unit}`;
  return at <= now ? `${words} ago` : `in ${words}`;
}

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
export const timeWords = (at: number): string => absolute.format(at);

const counts = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const shorts = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });
/** A count, or a mean: whole above a hundred, else with three digits. */
export const numberWords = (value: number | null | undefined): string =>
  value === null || value === undefined || !Number.isFinite(value)
    ? '–'
    : (Math.abs(value) >= 100 || Number.isInteger(value) ? counts : shorts).format(value);

/** A share, such as a chance, in percent. */
export const percentWords = (share: number | null | undefined, digits = 0): string =>
  share === null || share === undefined || !Number.isFinite(share)
    ? '–'
    : `${(100 * share).toFixed(digits)} %`;

/** A count with its noun: `1 ticket`, `3 tickets`. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${numberWords(count)} ${count === 1 ? noun : nouns}`;

const waitsFor = new Map([
  ['players', 'more players'],
  ['platforms', 'players of its platforms'],
  ['regions', 'players of its regions'],
  ['parties', 'parties to face parties'],
  ['avoided', 'players it does not avoid'],
  ['skill', 'players in its skill window'],
  ['teams', 'teams that are even enough'],
  ['maps', 'a map that all wish for'],
  ['none', 'a match that is being formed'],
]);
/** What a ticket waits for, by the rule that binds. */
export const waitsForWords = (rule: string | undefined): string => waitsFor.get(rule ?? '') ?? '–';

const differences = new Intl.NumberFormat(undefined, {
  maximumSignificantDigits: 3,
  maximumFractionDigits: 2,
  roundingPriority: 'lessPrecision',
  signDisplay: 'exceptZero',
});
/** A difference, with its sign; less than a hundredth is none. */
export const signedWords = (value: number | null | undefined): string =>
  value === null || value === undefined || !Number.isFinite(value)
    ? '–'
    : differences.format(value).replace('-', '−');

/** A rating with its uncertainty, in the units of the pool’s model. */
export const ratingWords = (
  rating: { readonly mu: number; readonly sigma: number } | null | undefined,
): string => (rating ? `${numberWords(rating.mu)} ± ${numberWords(rating.sigma)}` : '–');

const two = (value: number): string => String(value).padStart(2, '0');
/** A time of an address (ISO 8601) as an input for date and time writes it, in the time of this machine; empty: none. */
export function inputOfIso(iso: string): string {
  const at = new Date(iso);
  if (iso === '' || Number.isNaN(at.getTime())) return '';
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
/** The reverse. */
export function isoOfInput(text: string): string {
  const at = new Date(text);
  return text === '' || Number.isNaN(at.getTime()) ? '' : at.toISOString();
}
