import { own } from '@muster/domain';
import type { NewPool, Played, PoolRules, Random, ReportedMatch } from '@muster/domain';
import { defaultPoolRules, uncalibrated } from '@muster/skill';
import { until } from '../support/gate.js';
import type { RatingStores } from '../support/rating-stores.js';
import { noon, range } from './fixtures.js';
import type { Db } from '../support/prisma.js';

/** A pool rated by skill only, unless overridden. */
export function aPool(name = 'ladder', rules: Partial<PoolRules> = {}): NewPool {
  return {
    name,
    gameMode: null,
    modifiers: [],
    rules: { ...defaultPoolRules, aggregation: 'sum', circumstances: [], partyBonus: 'none', ...rules },
    calibration: uncalibrated,
  };
}

/** A played match. */
export interface PlayedMatch {
  readonly matchId: string;
  readonly teams: readonly (readonly string[])[];
  readonly ranks: readonly number[];
  readonly played?: Played;
}

export const duel: PlayedMatch = { matchId: 'm1', teams: [['ann'], ['bob']], ranks: [2, 1] };

/** Two or three teams of one to three from a small crowd, so that matches share players. */
export function somePlayed(matchId: string, crowd: readonly string[], random: Random): PlayedMatch {
  const mixed = crowd.map((id) => ({ id, at: random() })).toSorted((a, b) => a.at - b.at);
  const teams = range(2 + Math.floor(2 * random())).map(() =>
    mixed.splice(0, 1 + Math.floor(3 * random())).map(({ id }) => id),
  );
  return { matchId, teams, ranks: teams.map(() => 1 + Math.floor(teams.length * random())) };
}

/** Place and time of a match, and each player's ticket. */
export interface Ending {
  readonly pool?: string;
  readonly endedAt?: number;
  /** A ticket per player by default. */
  readonly ticketOf?: (playerId: string) => string;
  /** Ids of boosters, by player. */
  readonly boosters?: Readonly<Record<string, string>>;
}

function boosterIn(boosters: Readonly<Record<string, string>>, playerId: string) {
  const boosterId = own(boosters, playerId);
  return boosterId === undefined ? {} : { booster: { boosterId, division: 'Gold', higher: true } };
}

/** Stores a match as its result leaves it. No match holds its players, so they can be in several. */
export async function ended(
  db: Db,
  { matchId, teams, ranks, played }: PlayedMatch,
  { pool = 'ladder', endedAt = noon, ticketOf = (playerId) => `tkt-${playerId}`, boosters = {} }: Ending = {},
): Promise<void> {
  const players = teams.flatMap((team, t) =>
    team.map((playerId) => ({
      playerId,
      team: t,
      ticketId: ticketOf(playerId),
      mu: 25,
      sigma: 8,
      waitedMs: 1,
      ...boosterIn(boosters, playerId),
    })),
  );
  await db.match.create({
    data: {
      id: matchId,
      origin: 'queue',
      pool,
      state: 'ended',
      ranks: [...ranks],
      ...(played ? { played: JSON.parse(JSON.stringify(played)) } : {}),
      formedAt: new Date(noon),
      endedAt: new Date(endedAt),
      players: { create: players },
    },
  });
}

/** The same match as a trusted server reports it. */
export function reported(
  { matchId, teams, ranks, played = {} }: PlayedMatch,
  over: Partial<ReportedMatch> = {},
): ReportedMatch {
  return {
    matchId,
    externalId: `ext-${matchId}`,
    pool: 'ladder',
    playedAt: noon,
    teams,
    ranks,
    played,
    digest: JSON.stringify({ teams, ranks, played }),
    reportedBy: 'a-server',
    ...over,
  };
}

/**
 * Adds all rated matches of the pools in force to the totals. Matches are added once all transactions of the server that were
 * running are over; those of tests in other databases are among them.
 */
export async function addAllToTotals(
  db: Db,
  { rated }: Pick<RatingStores, 'rated'>,
  limit = 10_000,
): Promise<void> {
  await until(async () => {
    while (await rated.addToTotals(limit));
    // The rows read are counted at once, and not during the test.
    const [row] = await db.$queryRaw<{ left: bigint }[]>`
      SELECT count(*) AS left, pg_stat_force_next_flush()::text FROM rating_pool
      WHERE EXISTS (SELECT 1 FROM rated_match LEFT JOIN rated_total USING (pool, generation)
        WHERE pool = name AND rated_match.generation = rating_pool.generation
          AND sequence > coalesce(through, -9223372036854775808))`;
    return row?.left === 0n;
  });
}
