import { Unsolvable, type SeedingRules } from '@muster/domain';
import { fitPool, type PoolFit, type PoolStatsRow } from '@muster/skill';

/** What a fit needs, in a form that costs the thread that sends it little: rows as JSON, in pages. */
export interface FitTask {
  readonly pages: readonly string[];
  readonly demands: SeedingRules;
}

/** A fit, or why none could be made. An error's class would not survive being sent to another thread. */
export type FitResult = { readonly fit: PoolFit } | { readonly refusal: string };

/** Fits skill to the stats of a pool, in a thread. Takes seconds for a long history. */
export default function fitRows({ pages, demands }: FitTask): FitResult {
  const rows = pages.flatMap((page) => JSON.parse(page) as PoolStatsRow[]);
  try {
    return { fit: fitPool(rows, demands) };
  } catch (error) {
    if (!(error instanceof Unsolvable)) throw error;
    return { refusal: error.message };
  }
}
