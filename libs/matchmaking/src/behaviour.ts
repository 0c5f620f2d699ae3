import { complaints, type BehaviourMark } from '@muster/domain';

/** How reports become a score. */
export interface BehaviourModel {
  /** After so long a report counts half, in milliseconds. */
  readonly halfLifeMs: number;
  /** The benefit of the doubt: as many complaints of trusted reporters as bring a score to ½. Above 0. */
  readonly benefit: number;
  /** A reporter whose own score is not above this counts nothing, 0 to below 1; one of score 1 counts 1. */
  readonly trustedAbove: number;
}

const dayMs = 86_400_000;

export const defaultBehaviourModel: BehaviourModel = {
  halfLifeMs: 14 * dayMs,
  benefit: 4,
  trustedAbove: 0.5,
};

/** Reports older than so many half-lives count less than a thousandth, and need not be read. */
export const forgottenHalfLives = 10;

/**
 * A player's behaviour score, from what team-mates said of them: 1 is spotless, and near 0 is somebody whom many complain of.
 *
 * 1. Every report decays: it counts `weight · 2^(−age / halfLifeMs)`.
 * 2. A reporter counts once against a player and once for them, by the strongest of their reports: whoever reports the same
 *    player after every match says it once.
 * 3. Complaints add up to `b`, commendations to `g`. The score is `(k + g) / (k + g + b)`, where `k` is the model's `benefit`.
 *
 * It is the mean of a beta belief about "behaves well" that begins with `k` good encounters and none bad, with forgetting
 * (Jøsang and Ismail, The Beta Reputation System, 2002). So it never rises by a complaint nor falls by a commendation, it comes
 * back to 1 as time goes by, and one complaint takes at most `1 / (k + 1)`.
 *
 * @param marks what was said of the player, in any order
 * @param now milliseconds since the epoch; what is dated later counts as new
 * @returns above 0, 1 at the most
 */
export function behaviourScore(
  marks: readonly BehaviourMark[],
  now: number,
  model: BehaviourModel = defaultBehaviourModel,
): number {
  const against = strongest(marks.filter(isComplaint), now, model);
  const good =
    model.benefit +
    strongest(
      marks.filter((mark) => !isComplaint(mark)),
      now,
      model,
    );
  return good / (good + against);
}

/**
 * What a reporter's word weighs, by their own behaviour score: nothing up to `trustedAbove`, then evenly up to 1. However many
 * of low standing gang up on a player, they change nothing.
 *
 * @param standing the reporter's score, 0 to 1
 * @returns 0 to 1
 */
export function reporterWeight(standing: number, { trustedAbove } = defaultBehaviourModel): number {
  return Math.min(1, Math.max(0, (standing - trustedAbove) / (1 - trustedAbove)));
}

/** What a report counts now. @returns 0 to 1 */
export function markCounts(
  { weight, at }: BehaviourMark,
  now: number,
  { halfLifeMs }: BehaviourModel,
): number {
  return weight * 2 ** (-Math.max(0, now - at) / halfLifeMs);
}

/** A score in a word, for players: they see no number. */
export type BehaviourWord = 'good' | 'mixed' | 'poor';

/** @param score 0 to 1 */
export function behaviourWord(score: number): BehaviourWord {
  if (score >= 0.8) return 'good';
  return score >= 0.5 ? 'mixed' : 'poor';
}

export function isComplaint({ kind }: Pick<BehaviourMark, 'kind'>): boolean {
  const against: readonly string[] = complaints;
  return against.includes(kind);
}

/** The sum over reporters of what each one's strongest mark counts. */
function strongest(marks: readonly BehaviourMark[], now: number, model: BehaviourModel): number {
  const byReporter = new Map<string, number>();
  for (const mark of marks) {
    const counts = markCounts(mark, now, model);
    byReporter.set(mark.reporter, Math.max(counts, byReporter.get(mark.reporter) ?? 0));
  }
  // In rising order, so that the sum is the same to the bit in whatever order the marks came.
  return [...byReporter.values()].toSorted((a, b) => a - b).reduce((sum, counts) => sum + counts, 0);
}
