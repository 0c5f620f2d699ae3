import { mostClockSkewMs, Unsolvable } from '@muster/domain';
import { fitRegression, withCommonStats, type SkillRegression } from '@muster/skill';
import { reading, readSource } from '../match-file/source.js';
import { rateStats, ratedBy, type RatedStats } from './rate-stats.js';
import { readStats } from './stats-file.js';
import { asJsonLine, asText } from './summary.js';

/** Matches that a fit needs: the default of pools. */
const leastMatches = 200;

export interface PlacementOptions {
  readonly json: boolean;
}

/**
 * Rates the matches of a stats file, fits a regression from stats to ratings, and reports its error on held-out
 * players.
 *
 * @returns the exit code: 0, 2 if rows were rejected
 * @throws Error with a user-facing message on failure
 */
export async function placement(
  file: string,
  { json }: PlacementOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const text = await readSource(file, env['MUSTER_DATA']);
  const read = reading(file, () => readStats(text, Date.now() + mostClockSkewMs));
  const rated = rateStats(read.rows);
  const refused = [...read.refused, ...rated.refused].toSorted((a, b) => a.line - b.line);
  for (const { line, reason } of refused) process.stderr.write(`${file}, line ${line} refused: ${reason}\n`);
  const summary = { file, refused: refused.length, ratedBy, ...fitted(file, rated) };
  process.stdout.write(json ? asJsonLine(summary) : asText(summary));
  return refused.length > 0 ? 2 : 0;
}

/** The fit, and why it is too poor for a pool; null if it is not. */
interface Fitted {
  readonly model: SkillRegression;
  readonly poor: string | null;
  /** Rows that lack a stat which counts. */
  readonly incomplete: number;
}

function fitted(file: string, { rows, ratings }: RatedStats): Fitted {
  const history = rows.map(({ match, player, stats }) => ({
    match,
    player,
    numbers: stats,
    target: ratings.get(player) ?? 0,
  }));
  // As the service does: players of one role may have stats that the others have not.
  const fit = (leastR2?: number): SkillRegression =>
    fitRegression(withCommonStats(history, leastMatches), {
      leastR2,
      minMatches: leastMatches,
    });
  const [model, refusal] = attempt(() => fit());
  const incomplete = (made: SkillRegression): number => history.length - made.fit.rows;
  if (model) return { model, poor: null, incomplete: incomplete(model) };
  // The figures are reported even if they are too poor to use.
  const [anyway] = attempt(() => fit(-Infinity));
  if (anyway) return { model: anyway, poor: refusal.message, incomplete: incomplete(anyway) };
  throw new Error(`${file} has too little data for placement. ${refusal.message}`, { cause: refusal });
}

function attempt<T>(act: () => T): readonly [T, null] | readonly [null, Unsolvable] {
  try {
    return [act(), null];
  } catch (error) {
    if (error instanceof Unsolvable) return [null, error];
    throw error;
  }
}
