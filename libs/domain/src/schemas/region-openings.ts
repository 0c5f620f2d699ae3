import { z } from 'zod';
import type { Unchanging } from './unchanging.js';

/** Where a match may be played, by time: the limits of its tickets widen on while it waits for a server. */
export const RegionOpenings = z.object({
  /** Nearest first; those that not all measured are last. */
  regions: z.array(
    z.object({
      region: z.string(),
      /** The mean of its tickets' latencies, in milliseconds; null: not all of them measured it. */
      latencyMs: z.number().nullable(),
      /** From when the limits of all its tickets allow it, in milliseconds since the epoch. */
      opensAt: z.number(),
    }),
  ),
  /** From when all other regions are open, too, in milliseconds since the epoch; null: never. */
  anywhereAt: z.number().nullable(),
});
export type RegionOpenings = Unchanging<z.infer<typeof RegionOpenings>>;
export type RegionOpening = RegionOpenings['regions'][number];
