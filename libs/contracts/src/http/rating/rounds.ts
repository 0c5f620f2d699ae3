import { CoordinatorId, Label, PlayerId, PoolName, type Unchanging } from '@muster/domain/schemas';
import { z } from 'zod';
import { EventId, Text } from '../operator-words.js';
import { PoolHealth } from './pools.js';
import { PlayedAt } from './results.js';
import { issuesOf, refuse, tookPart, twiceIn } from './took-part.js';
import { PoolSplits } from '../assignment/teams.js';

const mostPlayers = 200;

const RoundId = EventId.meta({
  description: 'Your own id of this round, such as server, date and number; an id counts once.',
});

/** A player of a community server, as its plugin reports them. */
export const RoundPlayer = z
  .object({
    playerId: PlayerId,
    rating: z.number(),
    visible: z
      .boolean()
      .meta({ description: 'Whether players may see the rating: not during the pool’s first rounds.' }),
    rounds: z.number().int().meta({ description: 'Rounds rated so far; 0 for a new player.' }),
    stale: z.boolean().meta({ description: 'No round for longer than the pool’s staleAfterDays.' }),
  })
  .meta({ id: 'RoundPlayer' });
export type RoundPlayer = z.infer<typeof RoundPlayer>;

export const RoundUpdate = z
  .strictObject({
    pool: PoolName,
    roundId: RoundId,
    server: Label.optional().meta({ description: 'The server of the round.' }),
    map: Label.optional(),
    teams: z.array(z.array(PlayerId).min(1).max(100)).length(2).meta({
      description: 'The players by team at the start of the round, and the players of `late` in their teams.',
    }),
    winner: z
      .number()
      .int()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: 'Index of the winning team; null for none.' }),
    ...tookPart,
    playedAt: PlayedAt,
  })
  .superRefine((body, context) => refuse(context, [...issuesOf(body), ...twiceIn(body.teams, 'round')]))
  .meta({ id: 'RoundUpdate' });
export type RoundUpdate = z.infer<typeof RoundUpdate>;

export const RoundUpdated = z
  .object({
    matchId: CoordinatorId,
    counted: z.boolean().meta({ description: 'False when the same round was counted before.' }),
    prediction: z
      .array(z.number())
      .meta({ description: 'Chance of each team to win, predicted before rating.' }),
    players: z.array(RoundPlayer).meta({ description: 'All players of the round, with their new ratings.' }),
  })
  .meta({ id: 'RoundUpdated' });
export type RoundUpdated = z.infer<typeof RoundUpdated>;

export const RoundAdmin = z
  .discriminatedUnion('action', [
    z.strictObject({
      action: z.literal('get'),
      pool: PoolName,
      playerIds: z.array(PlayerId).min(1).max(mostPlayers),
    }),
    z.strictObject({
      action: z.literal('set'),
      pool: PoolName,
      playerId: PlayerId,
      rating: z.number().min(-1e12).max(1e12),
      reason: Text,
    }),
    z.strictObject({ action: z.literal('reset'), pool: PoolName, playerId: PlayerId, reason: Text }),
    z.strictObject({ action: z.literal('quality'), pool: PoolName }),
  ])
  .meta({
    id: 'RoundAdmin',
    description:
      '`get` ratings (a new player has the start value); `set` or `reset` one; the `quality` of the pool.',
  });
export type RoundAdmin = z.infer<typeof RoundAdmin>;

export const RoundAdminAnswer = z
  .object({
    players: z.array(RoundPlayer).optional().meta({ description: 'For `get`, `set` and `reset`.' }),
    quality: PoolHealth.optional().meta({ description: 'Of `quality`.' }),
  })
  .meta({ id: 'RoundAdminAnswer' });
export type RoundAdminAnswer = z.infer<typeof RoundAdminAnswer>;

export const RoundScramble = z
  .strictObject({
    pool: PoolName,
    players: z
      .array(
        z.strictObject({
          playerId: PlayerId,
          waited: z.number().optional().meta({ description: 'For `longest-waiting`: more is longer.' }),
        }),
      )
      .min(2)
      .max(mostPlayers)
      .refine((players) => new Set(players.map(({ playerId }) => playerId)).size === players.length, {
        message: 'somebody is in the pool twice; name every player once',
      })
      .meta({ description: 'All players without spectators and players who have not picked a team.' }),
    bench: z.enum(['anyone', 'top-plays', 'longest-waiting']).default('anyone').meta({
      description: 'Who may sit out: anyone, anyone but the best, or the players who have waited least.',
    }),
    deadlineMs: z.number().int().min(1).max(5_000).default(1_000),
  })
  .meta({ id: 'RoundScramble' });
export type RoundScramble = z.infer<typeof RoundScramble>;

export const RoundSplits = PoolSplits.extend({
  players: z
    .array(z.object({ playerId: PlayerId, rating: z.number() }))
    .meta({ description: 'The ratings that the splits use.' }),
}).meta({ id: 'RoundSplits' });
export type RoundSplits = Unchanging<z.infer<typeof RoundSplits>>;
