import { signalKinds } from '@muster/domain';
import { CoordinatorId, textUpTo, PlayerId, PoolName, ServerId } from '@muster/domain/schemas';
import { z } from 'zod';
import { MessageView } from '../../messages/message-views.js';
import { wholeInUrl } from '../../query-numbers.js';
import { EpochMs } from '../../times.js';

const Kind = z.enum(signalKinds).meta({
  description:
    '`newcomer`: a new account far above newcomers. `thrown`: matches lost on purpose. `collusion`: two opponents agree on outcomes. `server`: the results of a server do not fit. `alternate`: a new account and an older one look like one person.',
});
const Verdict = z.enum(['confirmed', 'cleared', 'unclear']);

export const CaseParams = z.strictObject({ caseId: CoordinatorId });

export const PageOfCases = z.strictObject({
  state: z.enum(['open', 'closed']).default('open'),
  pool: PoolName.optional(),
  kind: Kind.optional(),
  player: PlayerId.optional(),
  after: CoordinatorId.optional().meta({ description: 'Cases after this one.' }),
  limit: wholeInUrl(1, 1_000).default(100),
});

export type PageOfCases = z.infer<typeof PageOfCases>;

export const CaseView = z
  .object({
    caseId: CoordinatorId,
    pool: PoolName,
    kind: Kind,
    players: z.array(PlayerId).meta({
      description: 'The player, or both, of alternate accounts the new one first; empty for a server.',
    }),
    server: ServerId.nullable(),
    state: z.enum(['open', 'closed']),
    evidence: z.number().meta({
      description:
        'How many times better a cheat explains the results than the pool’s chances do; of alternate accounts, one person the habits than two.',
    }),
    byChance: z.number().meta({
      description:
        'If the chances are right, at most this share of honest ones ever gets so much evidence from results; of alternate accounts, if people have their habits independently.',
    }),
    matches: z.number().int().meta({ description: 'Matches that the evidence is from.' }),
    matchId: z.string().meta({ description: 'The match after which it was last found.' }),
    pro: z.array(MessageView).meta({ description: 'What speaks for it.' }),
    contra: z.array(MessageView).meta({ description: 'What speaks against it.' }),
    outdated: z.boolean().meta({
      description:
        'The pool was rebuilt since, as after a match was declared void, and the signal was not found again.',
    }),
    openedAt: EpochMs,
    updatedAt: EpochMs,
    raised: z.boolean().meta({ description: 'Whether it raised the uncertainty of its players.' }),
    verdict: Verdict.nullable(),
    note: z.string().nullable(),
    closedBy: z.string().nullable(),
    closedAt: EpochMs.nullable(),
  })
  .meta({ id: 'IntegrityCase' });
export type CaseView = z.infer<typeof CaseView>;
export const CaseList = z.object({ cases: z.array(CaseView) }).meta({ id: 'IntegrityCases' });
export type CaseList = z.infer<typeof CaseList>;

export const CloseCase = z
  .strictObject({
    verdict: Verdict.meta({
      description: 'Muster stores it and does nothing else: it bans nobody.',
    }),
    note: textUpTo(1_000).optional(),
  })
  .meta({ id: 'CloseCase' });
export type CloseCase = z.infer<typeof CloseCase>;
