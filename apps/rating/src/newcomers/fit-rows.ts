import { Unsolvable, type PlacementRules } from '@muster/domain';
import { fitPoolPlacement, type PoolPlacement, type PoolStatsRow } from '@muster/skill';

/** What a fit needs, in a form that costs the thread that sends it little: rows as JSON, in pages. */
export interface FitTask {
  readonly pages: readonly string[];
  readonly demands: PlacementRules;
}

/** A fit, or why none could be made. An error's class would not survive being sent to another thread. */
export type FitResult = { readonly fit: PoolPlacement } | { readonly refusal: string };

/** Fits skill to the stats of a pool. Takes seconds for a long history. */
export type FitStats = (task: FitTask) => Promise<FitResult>;

export function fitRows({ pages, demands }: FitTask): FitResult {
  const rows = pages.flatMap((page) => JSON.parse(page) as PoolStatsRow[]);
  try {
    return { fit: fitPoolPlacement(rows, demands) };
  } catch (error) {
    if (!(error instanceof Unsolvable)) throw error;
    return { refusal: error.message };
  }
}
