import type { Match, Penalty, Report, Rules } from './match.js';

type Certificate = NonNullable<Match['split']>['certificate'];

export const stateWords: Readonly<Record<Match['state'], string>> = {
  formed: 'waits for a server',
  placed: 'is played',
  ended: 'is being rated',
  rated: 'rated',
  abandoned: 'abandoned',
  void: 'void',
};

export const stateColour: Readonly<Record<Match['state'], string>> = {
  formed: 'yellow',
  placed: 'blue',
  ended: 'blue',
  rated: 'green',
  abandoned: 'orange',
  void: 'gray',
};

/** A team by its number from 1, and the side that it plays. */
export function teamWords(team: number, sides?: Rules['sides']): string {
  const side = sides?.[team];
  return side === undefined ? `Team ${team + 1}` : `Team ${team + 1} (${side})`;
}

/** Points of a rating, as the explanations of matches write them. */
export const pointsWords = (points: number): string =>
  Math.abs(points) >= 1_000 ? Math.round(points).toLocaleString() : points.toFixed(1);

/** Names one after the other, as in a sentence. */
export function listWords(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** How a match ended, by the ranks of its teams: empty before a result. */
export function resultWords({ ranks, scores }: Pick<Match, 'ranks' | 'scores'>): string {
  if (ranks.length === 0) return '';
  const points = scores ? ` (${scores.join(' : ')})` : '';
  const best = ranks.flatMap((rank, team) => (rank === Math.min(...ranks) ? [team] : []));
  if (best.length === ranks.length) return `Draw${points}`;
  if (best.length > 1)
    return `${listWords(best.map((team) => teamWords(team)))} shared the first place${points}`;
  return `${teamWords(best[0] ?? 0)} won${points}`;
}

/** Why the search for a split ended without a proof. */
const stopped: Readonly<Record<NonNullable<Certificate['stopped']>, string>> = {
  deadline: 'the time for the search was over',
  memory: 'an exact search would have needed too much memory',
  size: 'there are too many ways to look through all',
  stalled: 'the search had found nothing better for long',
};
export const stoppedWords = (why: Certificate['stopped']): string =>
  why === undefined ? 'the search was limited' : stopped[why];

/** What a proof rests on. */
export const proofWords: Readonly<Record<Certificate['reason'], string>> = {
  residue: 'the ratings allow no smaller difference by their divisibility',
  structural: 'the strongest or weakest players allow no smaller difference, whoever plays where',
  exhausted: 'every split was examined or excluded',
};

export const penaltyWords: Readonly<Record<Penalty['kind'], string>> = {
  declined: 'declined the match, or did not answer',
  'no-show': 'never connected',
  left: 'left for good',
};

export const reportWords: Readonly<Record<Report['kind'], string>> = {
  abuse: 'abuse',
  sabotage: 'sabotage',
  leaving: 'leaving',
  cheating: 'cheating',
  friendly: 'friendly (commended)',
  teamwork: 'teamwork (commended)',
};

export const balanceWords: Readonly<Record<Match['balance'][number]['kind'], string>> = {
  balance: 'The match had become unfair',
  scramble: 'New teams between rounds',
  sides: 'A side pick closed',
};
