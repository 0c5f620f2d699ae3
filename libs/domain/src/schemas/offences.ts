import { z } from 'zod';
import { outageScopes } from '../match-life/offences.js';
import type { Unchanging } from './unchanging.js';

/** The offences of a match's players, as its server reported them. */
export const Offences = z.array(
  z.object({
    playerId: z.string(),
    kind: z.enum(['no-show', 'left']),
    at: z.number(),
    /** The request for players that named the leaver: the offence goes with it. */
    backfillId: z.string().optional(),
    /** So many players of the match are blamed that nobody is penalised. */
    lifted: z.boolean().optional(),
    /** It is lifted for an outage of these matches. */
    outage: z.enum(outageScopes).optional(),
    /** When the request that named the leaver was withdrawn: the offence counts for nothing, and they may be named again. */
    withdrawnAt: z.number().optional(),
  }),
);
export type MatchOffence = Unchanging<z.infer<typeof Offences>>[number];
