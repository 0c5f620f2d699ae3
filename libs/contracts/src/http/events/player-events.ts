import { z } from 'zod';
import { EpochMs, PlayedMs } from '../../times.js';
import { idIn, textIn } from './parts.js';

const Belief = z.looseObject({ mu: z.number(), sigma: z.number() });

/** Data of a change of ratings. */
export const RatingEventData = z.object({
  pool: z.string(),
  kind: z.enum(['match', 'void', 'set', 'reset', 'season', 'decay', 'seed', 'signal']),
  eventId: z.string().meta({ description: 'With `pool` and `kind`, the event of the ledger.' }),
  sequence: z.number().int().meta({ description: 'Its place in the ledger.' }),
  matchId: z.string().nullable(),
  at: PlayedMs,
  changes: z
    .array(z.object({ playerId: z.string(), before: Belief.nullable(), after: Belief.nullable() }))
    .meta({
      description:
        'Empty for `season` and `decay`, which concern the whole pool, and for `void`, after which the pool is rebuilt.',
    }),
});

/** Data of a penalty. */
export const PenaltyEventData = z.object({
  penaltyId: idIn('penalty'),
  playerId: z.string(),
  kind: z.enum(['declined', 'no-show', 'left']),
  matchId: idIn('match, or of the proposal that would have become it'),
  queue: z.string(),
  at: EpochMs,
  forgivenAt: EpochMs.nullable(),
  reason: textIn('Why it was lifted without an operator.'),
});

/** Data of a new version of the rules of a queue. */
export const RulesEventData = z.object({
  queue: z.string(),
  version: z.number().int(),
  why: z.string(),
  appliesTo: z.enum(['new', 'all']).meta({ description: 'Whether tickets that waited follow it.' }),
  at: EpochMs,
});

/** Data of a season. */
export const SeasonEventData = z.object({
  pool: z.string(),
  number: z.number().int(),
  name: z.string(),
  startsAt: EpochMs.nullable(),
  startedAt: EpochMs.nullable(),
  endedAt: EpochMs.nullable(),
});

/** Data of a case of integrity. */
export const CaseEventData = z.object({
  caseId: idIn('case'),
  pool: z.string(),
  kind: z.string(),
  players: z.array(z.string()),
  server: z.string().nullable(),
  evidence: z.number(),
  matches: z.number().int(),
  verdict: z.string().nullable(),
  closedBy: z.string().nullable(),
  openedAt: EpochMs,
  closedAt: EpochMs.nullable(),
});

/** Data of a message that tests a webhook. */
export const TestEventData = z.object({ webhookId: idIn('webhook') });
