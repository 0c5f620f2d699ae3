import { z } from 'zod';
import { CoordinatorId, EpochMs, inOrder, isRange, Moment, PlayedMs, PlayerId, PoolName } from '../ids.js';
import { MessageViews, why } from '../messages/spoken.js';
import { BalanceOrder } from './live-sessions.js';
import { CertificateView } from './teams.js';

export const MatchPlayerView = z.object({
  playerId: PlayerId,
  team: z.number().int(),
  ticketId: z.string().nullable(),
  waitedMs: z.number().nullable(),
  role: z.string().nullable().meta({ description: 'What the team counts on them to play; null: anything.' }),
  joinedAt: EpochMs.nullable().meta({
    description: 'When they came into the running match; null for those who were in it from the start.',
  }),
  backfillId: CoordinatorId.nullable().meta({ description: 'Which request for players brought them.' }),
  leftAt: EpochMs.nullable().meta({
    description: 'When they left for good and their server asked for somebody else.',
  }),
  level: z.number().nullable().meta({
    description:
      'What the player counted for in the split: the rating of that time, or the level a newcomer was tried out at.',
  }),
  before: z
    .object({ mu: z.number(), sigma: z.number() })
    .nullable()
    .meta({ description: 'null when a player asks: ratings are for operators.' }),
  after: z.object({ mu: z.number(), sigma: z.number() }).nullable(),
});

export const MatchSplit = z
  .object({
    method: z.string(),
    because: z.string().meta({ description: 'Why this method, in words.' }),
    certificate: CertificateView,
    sums: z.array(z.number()).meta({ description: 'Each team’s sum of ratings.' }),
    difference: z.number(),
    ways: z.number().nullable().meta({ description: 'How many splits keep parties together, if counted.' }),
    ranked: z.boolean().meta({ description: 'Whether `rejected` is proven to be the best of the others.' }),
    operations: z.number(),
    rejected: z
      .object({ teams: z.array(z.array(PlayerId)), sums: z.array(z.number()), difference: z.number() })
      .nullable()
      .meta({ description: 'The best of the other splits; null where there was none.' }),
  })
  .meta({ id: 'MatchSplit' });
export type MatchSplit = z.infer<typeof MatchSplit>;

export const MatchView = z
  .object({
    matchId: CoordinatorId,
    origin: z.enum(['queue', 'reported']),
    externalId: z.string().nullable(),
    pool: z.string(),
    queue: z.string().nullable(),
    build: z.string().nullable(),
    state: z.enum(['formed', 'placed', 'ended', 'rated', 'abandoned', 'void']),
    closeReason: z.string().nullable(),
    closeReasonMessages: MessageViews,
    why: z.array(z.string()).meta({ description: 'Why these teams, in words for people.' }),
    whyMessages: MessageViews,
    prediction: z.array(z.number()),
    ranks: z.array(z.number().int()),
    split: MatchSplit.nullable().meta({
      description:
        'How the teams were found and what was proven about them; null for a reported match, and when a player asks.',
    }),
    serverId: z.string().nullable(),
    sessionId: z.string().nullable(),
    region: z.string().nullable(),
    map: z
      .string()
      .nullable()
      .meta({ description: 'What it is played on; null when the queue names no maps.' }),
    bots: z
      .array(z.number().int())
      .meta({ description: 'How many places of each team bots take; empty for a reported match.' }),
    proposedAt: EpochMs.nullable(),
    formedAt: PlayedMs.nullable(),
    placedAt: EpochMs.nullable(),
    endedAt: PlayedMs.nullable(),
    closedAt: EpochMs.nullable(),
    placements: z.number().int().meta({ description: 'How many servers were asked.' }),
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
      .meta({ description: 'Who was told to change team while it was played, and why.' }),
  })
  .meta({ id: 'Match' });
export type MatchView = z.infer<typeof MatchView>;
export const MatchParams = z.strictObject({ matchId: CoordinatorId });
const cursor = z.string().max(200).optional().meta({ description: 'The `next` of the page before.' });
const range = {
  from: Moment.optional().meta({
    description:
      'Only matches that were over at this time or later, listed by when they were over; of an abandoned match, when it was given up.',
  }),
  to: Moment.optional().meta({ description: 'The same of those that were over before this time.' }),
};
export const PageOfMatches = z
  .strictObject({
    limit: z.coerce.number().int().min(1).max(500).default(50),
    cursor,
    order: z.enum(['newest', 'oldest']).default('newest'),
    state: z.enum(['formed', 'placed', 'ended', 'rated', 'abandoned', 'void']).optional(),
    pool: PoolName.optional(),
    playerId: PlayerId.optional(),
    ...range,
  })
  .refine(isRange, inOrder);
export type PageOfMatches = z.infer<typeof PageOfMatches>;
export const PageOfMyMatches = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor,
});
export type PageOfMyMatches = z.infer<typeof PageOfMyMatches>;
export const MatchPage = z
  .object({ matches: z.array(MatchView), next: z.string().nullable() })
  .meta({ id: 'MatchPage' });
export const ExportMatches = z
  .strictObject({
    format: z.enum(['csv', 'jsonl']).default('jsonl'),
    pool: PoolName.optional(),
    ...range,
  })
  .refine(isRange, inOrder);
