import { PlayerId, PoolName, RegionName } from '@muster/domain/schemas';
import { z } from 'zod';
import { DisplayName } from '../../display-name.js';
import { wholeInUrl } from '../../query-numbers.js';

const PlayerList = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(PlayerId).min(1).max(100));

export const ReadLeaderboard = z
  .strictObject({
    region: RegionName.optional().meta({
      description: 'Only players whose last match with a region was played in this one.',
    }),
    from: wholeInUrl(1, 1_000_000_000).optional().meta({ description: 'The first position, 1 by default.' }),
    limit: wholeInUrl(1, 100).default(20),
    around: PlayerId.optional().meta({
      description: 'This player with neighbours, at most `limit` rows.',
    }),
    players: PlayerList.optional().meta({
      description: 'Only these players, such as friends: ids separated by commas.',
    }),
  })
  .superRefine(({ from, around, players }, context) => {
    const given = Object.entries({ from, around, players }).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    );
    if (given.length > 1)
      context.addIssue({
        code: 'custom',
        path: [given[1] ?? 'from'],
        message: `cannot be combined with ${given[0]}; give one of from, around and players`,
      });
  });
export type ReadLeaderboard = z.infer<typeof ReadLeaderboard>;

export const LeaderboardRow = z.object({
  rank: z.number().int().meta({ description: 'From 1. Equal ratings share a rank.' }),
  playerId: PlayerId,
  name: z.string().nullable().meta({ description: 'The last display name; null: none is known.' }),
  division: z.string(),
  matches: z.number().int().meta({
    description: 'Rated matches in this pool in all seasons; final standings count those of their season.',
  }),
  mu: z.number().optional().meta({ description: 'The mean rating, for operators and servers.' }),
});
export type LeaderboardRow = z.infer<typeof LeaderboardRow>;

export const LeaderboardView = z
  .object({
    pool: PoolName,
    region: RegionName.nullable(),
    season: z.number().int().nullable().meta({
      description: 'The number of the season; null before the first.',
    }),
    players: z.number().int().meta({ description: 'Players on this board.' }),
    rows: z.array(LeaderboardRow),
    notRanked: z.string().nullable().meta({
      description: 'With `around`: why the player is not on the board; null if they are.',
    }),
  })
  .meta({ id: 'Leaderboard' });
export type LeaderboardView = z.infer<typeof LeaderboardView>;

/** Display names by player. */
export const NamePlayers = z
  .strictObject({
    names: z
      .record(PlayerId, DisplayName)
      .refine(
        (names) => Object.keys(names).length >= 1 && Object.keys(names).length <= 200,
        'must hold 1 to 200 players',
      ),
  })
  .meta({ id: 'NamePlayers' });
export type NamePlayers = z.infer<typeof NamePlayers>;
export const PlayersNamed = z.object({ named: z.number().int() }).meta({ id: 'PlayersNamed' });
