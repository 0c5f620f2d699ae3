import { matchStates } from '@muster/domain';
import {
  CoordinatorId,
  Label,
  MatchSplit,
  PlayerId,
  PoolName,
  QueueName,
  ServerId,
} from '@muster/domain/schemas';
import { z } from 'zod';
import { MessageViews, why } from '../../messages/message-views.js';
import { Cursor } from '../pages.js';
import { BalanceOrder } from './live-sessions.js';
import { wholeInUrl } from '../../query-numbers.js';
import { EpochMs, Moment, PlayedMs, inOrder, isRange } from '../../times.js';

export const MatchPlayerView = z.object({
  playerId: PlayerId,
  name: z.string().optional().meta({
    description: 'The last display name; absent when none is known, and from exports.',
  }),
  team: z.number().int(),
  ticketId: z.string().nullable(),
  waitedMs: z.number().nullable(),
  role: z.string().nullable().meta({ description: 'The player’s role in the team; null: none.' }),
  booster: z.object({ division: z.string(), higher: z.boolean() }).optional().meta({
    description:
      'The division that the player plays in with a booster; `higher`: above their own, as an apprentice. Absent: none.',
  }),
  joinedAt: EpochMs.nullable().meta({
    description: 'Time of joining the running match; null for players from the start.',
  }),
  backfillId: CoordinatorId.nullable().meta({ description: 'The backfill that brought the player.' }),
  leftAt: EpochMs.nullable().meta({
    description: 'Time at which the player left for good and the server requested a replacement.',
  }),
  level: z.number().nullable().meta({
    description:
      'The player’s weight in the split: the rating at that time, or a newcomer’s level under test.',
  }),
  before: z
    .object({ mu: z.number(), sigma: z.number() })
    .nullable()
    .meta({ description: 'null for players: ratings are for operators.' }),
  after: z.object({ mu: z.number(), sigma: z.number() }).nullable(),
  stats: z
    .record(z.string(), z.union([z.number(), z.string()]))
    .optional()
    .meta({
      description:
        'What the result counts of the player, such as kills. Players see their own. Absent: it counts nothing.',
    }),
});

export const MatchView = z
  .object({
    matchId: CoordinatorId,
    origin: z.enum(['queue', 'reported']),
    externalId: z.string().nullable(),
    pool: z.string(),
    queue: z.string().nullable(),
    build: z.string().nullable(),
    state: z.enum(matchStates),
    closeReason: z.string().nullable(),
    closeReasonMessages: MessageViews,
    why: z.array(z.string()).meta({ description: 'Why these teams, as text for people.' }),
    whyMessages: MessageViews,
    prediction: z.array(z.number()),
    ranks: z.array(z.number().int()),
    split: MatchSplit.nullable().meta({
      description: 'Method and proof of the teams; null for a reported match, and for players.',
    }),
    serverId: z.string().nullable(),
    sessionId: z.string().nullable(),
    traceId: z.string().nullable().meta({
      description: 'The trace of the match; null when it is not traced, and for players.',
    }),
    region: z.string().nullable(),
    map: z.string().nullable().meta({ description: 'The map; null when the queue names no maps.' }),
    bots: z.array(z.number().int()).meta({ description: 'Bots per team; empty for a reported match.' }),
    proposedAt: EpochMs.nullable(),
    formedAt: PlayedMs.nullable(),
    placedAt: EpochMs.nullable(),
    endedAt: PlayedMs.nullable(),
    closedAt: EpochMs.nullable(),
    placements: z.number().int().meta({ description: 'Number of servers that were asked.' }),
    serverWhy: z.string().nullable().meta({
      description:
        'Which policy chose the last of them and why, as text for people; null when none was asked.',
    }),
    serverWhyMessages: MessageViews,
    scores: z.array(z.number()).nullable().meta({
      description: 'The score of each team, by its result; null: it states none.',
    }),
    players: z.array(MatchPlayerView),
    balance: z
      .array(
        z.object({
          at: EpochMs,
          kind: BalanceOrder.shape.kind,
          exact: BalanceOrder.shape.exact,
          ...why,
          moves: z.array(
            z.object({
              playerId: PlayerId,
              from: z.number().int().nullable(),
              to: z.number().int(),
              ...why,
            }),
          ),
        }),
      )
      .meta({ description: 'Orders to change team during the match, with reasons.' }),
  })
  .meta({ id: 'Match' });
export type MatchView = z.infer<typeof MatchView>;
export const MatchParams = z.strictObject({ matchId: CoordinatorId });
const range = {
  from: Moment.optional().meta({
    description:
      'Only matches that ended at this time or later, sorted by that time; an abandoned match ended when it was abandoned. Without it those that are not over are listed, too.',
  }),
  to: Moment.optional().meta({ description: 'Only matches that ended before this time.' }),
};
const where = {
  queue: QueueName.optional(),
  serverId: ServerId.optional(),
  region: Label.optional(),
  map: Label.optional(),
};
const narrow = ['queue', 'serverId', 'region', 'map'] as const;
/** States that a match is in for a while: those that are in them are few at any time. */
const passing: readonly unknown[] = ['formed', 'placed', 'ended'];
/** No index has them, so what is searched is a range of time, or the matches that are not over. */
const isBounded = (query: {
  readonly [name in (typeof narrow)[number] | 'from' | 'state']?: unknown;
}): boolean =>
  query.from !== undefined ||
  passing.includes(query.state) ||
  narrow.every((name) => query[name] === undefined);
const bounded = {
  path: ['from'],
  message:
    'is missing; `queue`, `serverId`, `region` and `map` need the time from which matches are searched, or the `state` of matches that are not over',
};
export const PageOfMatches = z
  .strictObject({
    limit: wholeInUrl(1, 500).default(50),
    cursor: Cursor,
    order: z.enum(['newest', 'oldest']).default('newest'),
    state: z.enum(matchStates).optional(),
    pool: PoolName.optional(),
    playerId: PlayerId.optional(),
    ...where,
    ...range,
  })
  .refine(isRange, inOrder)
  .refine(isBounded, bounded);
export type PageOfMatches = z.infer<typeof PageOfMatches>;
export const PageOfMyMatches = z.strictObject({
  limit: wholeInUrl(1, 100).default(20),
  cursor: Cursor,
});
export type PageOfMyMatches = z.infer<typeof PageOfMyMatches>;
export const MatchPage = z
  .object({ matches: z.array(MatchView), next: z.string().nullable() })
  .meta({ id: 'MatchPage' });
export const ExportMatches = z
  .strictObject({
    format: z.enum(['csv', 'jsonl']).default('jsonl'),
    pool: PoolName.optional(),
    ...where,
    ...range,
  })
  .refine(isRange, inOrder)
  .refine(isBounded, bounded);
