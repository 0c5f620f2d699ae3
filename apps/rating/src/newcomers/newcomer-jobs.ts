import { jobQueues, type MatchRated, type OutboxJob, type PlaceNewcomer } from '@muster/contracts';
import { outcomeBetween } from '@muster/skill';
import type { Applied, MatchEvent, RatingPool } from '@muster/domain';

/** A player with fewer matches may be in a calibration search; the queue knows. */
const newBelow = 60;

/**
 * Reports the outcome of a match to the queue for players who are new to the pool. @returns no job if there are none
 */
export function newcomersOf(
  { eventId, teams, ranks }: MatchEvent,
  pool: RatingPool,
  applied: Applied,
): OutboxJob[] {
  const meanOf = (players: Applied['players']): number | null =>
    players.length === 0
      ? null
      : players.reduce((sum, { believed }) => sum + believed.mu, 0) / players.length;
  const players = applied.players
    .filter(({ rating, team }) => rating.matches <= newBelow && team !== null)
    .map(({ playerId, rating, team }) => ({
      playerId,
      matches: rating.matches,
      outcome: outcomeOf(ranks, team ?? 0),
      opponents: meanOf(applied.players.filter((other) => other.team !== team)) ?? 0,
      teammates: meanOf(
        applied.players.filter((other) => other.team === team && other.playerId !== playerId),
      ),
      teamSize: teams[team ?? 0]?.length ?? 1,
    }));
  if (players.length === 0) return [];
  const meeting = {
    teams: teams.map((_, t) =>
      applied.players
        .filter(({ team }) => team === t)
        .map(({ playerId, believed: { mu, sigma } }) => ({ playerId, mu, sigma })),
    ),
    ranks: [...ranks],
  };
  const payload: MatchRated = { matchId: eventId, pool: pool.name, meeting, players };
  return [{ queue: jobQueues.matchRated, jobId: `rated-${eventId}`, payload }];
}

/**
 * Newcomers who have played as many matches as their pool's seeding from stats asks for, and whose rating nobody has set.
 *
 * @returns a job for each
 */
export function seedableOf(
  { eventId }: Pick<MatchEvent, 'eventId'>,
  { name: pool, rules }: RatingPool,
  { players }: Applied,
): OutboxJob[] {
  const { placement: seeding } = rules;
  if (!seeding) return [];
  return players.flatMap(({ playerId, rating: { matches, setAt } }, i): OutboxJob[] => {
    if (matches !== seeding.window || setAt) return [];
    const payload: PlaceNewcomer = { pool, playerId };
    return [{ queue: jobQueues.placeNewcomer, jobId: `place-${eventId}-${i}`, payload }];
  });
}

/** The share of the other teams that ranked lower, ties counted by half: 1 for the first, 0 for the last. */
export function outcomeOf(ranks: readonly number[], team: number): number {
  const own = ranks[team] ?? 0;
  const beaten = ranks.reduce((sum, rank, t) => (t === team ? sum : sum + outcomeBetween(own, rank)), 0);
  return ranks.length < 2 ? 0.5 : beaten / (ranks.length - 1);
}
