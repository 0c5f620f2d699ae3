import type { RatingHistory } from '@muster/contracts';
import { moment } from '@muster/command-line/terminal/moment';
import { tableLines } from '@muster/command-line/terminal/table';

/** One change of a rating in the API's form. */
export type Change = RatingHistory['changes'][number];

const what: Readonly<Record<Change['kind'], string>> = {
  match: 'match',
  void: 'match declared void',
  rebuild: 'rated again',
  set: 'set',
  reset: 'reset',
  season: 'new season',
  decay: 'decay',
  seed: 'given',
  signal: 'less certain',
};

/** Changes as text, one per line: time, new rating, event, actor and reason. */
export function historyLines(changes: readonly Change[]): string[] {
  return tableLines(
    ['', '', ''],
    changes.map((change) => [
      moment(change.at),
      `${ratingText(change.before)} → ${ratingText(change.after)}`,
      changeWords(change),
    ]),
  );
}

/** The event, its actor and reason. */
export function changeWords({ kind, eventId, by, reason }: Change): string {
  const which = kind === 'match' || kind === 'void' ? ` ${eventId}` : '';
  return `${what[kind]}${which}${by === null ? '' : ` by ${by}`}${reason === null ? '' : `: ${reason}`}`;
}

/** `mu ± sigma` of a rating in the ledger. */
export function ratingText(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('mu' in value) || !('sigma' in value)) return '?';
  const { mu, sigma } = value;
  return typeof mu === 'number' && typeof sigma === 'number' ? beliefText({ mu, sigma }) : '?';
}

/** The number of digits suits the units of every model: some range to 3,000, others to 1. */
export function beliefText({ mu, sigma }: { readonly mu: number; readonly sigma: number }): string {
  const digits = Math.abs(mu) >= 200 || sigma >= 20 ? 0 : sigma >= 0.5 ? 2 : 3;
  return `${mu.toFixed(digits)} ± ${sigma.toFixed(digits)}`;
}
