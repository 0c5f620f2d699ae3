import type { AnswerOf } from '@muster/contracts';
import type { Change } from './rating-history.js';
import { movedBy, outcomeOf, playerIn, type Match } from '../played.js';

type Queue = AnswerOf<'listQueues'>['queues'][number];

/** How the search for a newcomer's level stands, as far as the API tells. */
export interface Calibration {
  /** `none`: the pool's queues do not calibrate. `given`: an operator gave a rating, so there is no search. */
  readonly state: 'none' | 'given' | 'not-begun' | 'running' | 'concluding' | 'placed';
  /** Matches of a search. */
  readonly of: number;
  readonly steps: readonly Step[];
  /** What placed the player, in words. */
  readonly why: string | null;
}

/** A match of the search. */
export interface Step {
  readonly number: number;
  readonly match: Match;
  /** What the player counted in it: the level under test. Null: the coordinator did not form the match. */
  readonly level: number | null;
  readonly outcome: string;
  readonly moved: number | null;
}

/** The matches that queues of a pool calibrate by, the most of them. */
export const calibrationMatchesOf = (queues: readonly Queue[], pool: string): number =>
  Math.max(0, ...queues.filter((queue) => queue.pool === pool).map((queue) => queue.calibrationMatches ?? 0));

/**
 * The search of a player.
 *
 * @param changes the whole history of the player in the pool @param first the first matches of the player in the pool, oldest first
 */
export function calibrationOf(
  playerId: string,
  of: number,
  changes: readonly Pick<Change, 'kind' | 'reason'>[],
  first: readonly Match[],
): Calibration {
  const steps = first
    .filter(({ state }) => state === 'rated')
    .slice(0, of)
    .map((match, i): Step => {
      const player = playerIn(match, playerId);
      return {
        number: i + 1,
        match,
        level: player?.level ?? null,
        outcome: outcomeOf(match, player?.team),
        moved: player ? movedBy(player) : null,
      };
    });
  const seed = changes.find(({ kind }) => kind === 'seed');
  const search = { of, steps, why: seed?.reason ?? null };
  if (seed) return { state: 'placed', ...search };
  if (of === 0) return { state: 'none', ...search };
  if (changes.some(({ kind }) => kind === 'set')) return { state: 'given', ...search };
  if (steps.length === 0) return { state: 'not-begun', ...search };
  return { state: steps.length < of ? 'running' : 'concluding', ...search };
}
