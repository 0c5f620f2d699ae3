import type { Db } from '@muster/db';
import type { Random, RateMatch, ReportedMatch } from '@muster/domain';
import { modelNamed, openskillPlackettLuce } from '@muster/skill';
import { noon, range } from './fixtures.js';

const model: RateMatch = {
  initial: (pool) => modelNamed(pool.model).initial(pool.parameters),
  predict: (pool, teams) => modelNamed(pool.model).predict(teams, pool.parameters),
  rate: (pool, teams, ranks) => modelNamed(pool.model).rate(teams, ranks, pool.parameters),
};

/** What the rating service rates with, and the model by the name that pools give. */
export const classic = { name: openskillPlackettLuce.name, model };

/** A match that was played. */
export interface Played {
  readonly matchId: string;
  readonly teams: readonly (readonly string[])[];
  readonly ranks: readonly number[];
}

/** Two or three teams of one to three out of a small crowd, so that matches share players. */
export function somePlayed(matchId: string, crowd: readonly string[], random: Random): Played {
  const mixed = crowd.map((id) => ({ id, at: random() })).toSorted((a, b) => a.at - b.at);
  const teams = range(2 + Math.floor(2 * random())).map(() =>
    mixed.splice(0, 1 + Math.floor(3 * random())).map(({ id }) => id),
  );
  return { matchId, teams, ranks: teams.map(() => 1 + Math.floor(teams.length * random())) };
}

/** Stores a match as its result leaves it. Its players are held by no match, so that they can be in several. */
export async function ended(db: Db, { matchId, teams, ranks }: Played, endedAt = noon): Promise<void> {
  const players = teams.flatMap((team, t) =>
    team.map((playerId) => ({
      playerId,
      team: t,
      ticketId: `tkt-${playerId}`,
      mu: 25,
      sigma: 8,
      waitedMs: 1,
    })),
  );
  await db.match.create({
    data: {
      id: matchId,
      origin: 'queue',
      pool: 'ladder',
      state: 'ended',
      ranks: [...ranks],
      formedAt: new Date(noon),
      endedAt: new Date(endedAt),
      players: { create: players },
    },
  });
}

/** The same match as a trusted server would report it. */
export function reported(
  { matchId, teams, ranks }: Played,
  over: Partial<ReportedMatch> = {},
): ReportedMatch {
  return {
    matchId,
    externalId: `ext-${matchId}`,
    pool: 'ladder',
    playedAt: noon,
    teams,
    ranks,
    digest: JSON.stringify({ teams, ranks }),
    reportedBy: 'a-server',
    ...over,
  };
}
