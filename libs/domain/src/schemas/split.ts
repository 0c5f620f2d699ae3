import { z } from 'zod';
import { PlayerId } from './names.js';
import type { Unchanging } from './unchanging.js';

export const CertificateView = z
  .object({
    status: z.enum(['proven', 'bounded']).meta({
      description:
        '`proven`: no split is better (except for `quantum`). `bounded`: none is better than `lowerBound`.',
    }),
    value: z.number().meta({ description: 'The minimised quantity; with bots 1 − ratio.' }),
    lowerBound: z.number(),
    gap: z.number(),
    reason: z.enum(['residue', 'structural', 'exhausted']).meta({ description: 'Source of the bound.' }),
    quantum: z.number().meta({ description: 'Weights were rounded to multiples of this; 0: not rounded.' }),
    stopped: z.enum(['deadline', 'memory', 'size', 'stalled']).optional().meta({
      description: 'Why it is not proven. `stalled`: the search found nothing better for long.',
    }),
  })
  .meta({ id: 'Certificate' });

export const MatchSplit = z
  .object({
    method: z.string(),
    because: z.string().meta({ description: 'Reason for this method.' }),
    certificate: CertificateView,
    sums: z.array(z.number()).meta({ description: 'Each team’s sum of ratings.' }),
    difference: z.number(),
    ways: z
      .number()
      .nullable()
      .meta({ description: 'Number of splits that keep parties together, if counted.' }),
    ranked: z.boolean().meta({ description: 'Whether `rejected` is proven to be the best of the others.' }),
    operations: z.number(),
    rejected: z
      .object({ teams: z.array(z.array(PlayerId)), sums: z.array(z.number()), difference: z.number() })
      .nullable()
      .meta({ description: 'The best other split; null if there was none.' }),
  })
  .meta({ id: 'MatchSplit' });

/** The proof of a split's quality. */
export type SplitCertificate = Unchanging<z.infer<typeof CertificateView>>;
/** How the teams were found, what was proven about them, and the rejected alternative. */
export type SplitRecord = Unchanging<z.infer<typeof MatchSplit>>;
