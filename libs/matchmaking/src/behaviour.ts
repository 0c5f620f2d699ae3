import { complaints, type BehaviourMark } from '@muster/domain';

/** Parameters of the behaviour score. */
export interface BehaviourModel {
  /** Half-life of a report, in milliseconds. */
  readonly halfLifeMs: number;
  /** Prior good encounters: as many trusted complaints bring a score to ½. Above 0. */
  readonly benefit: number;
  /** A reporter at or below this score has weight 0, from 0 to below 1; one of score 1 has weight 1. */
  readonly trustedAbove: number;
}

const dayMs = 86_400_000;

export const defaultBehaviourModel: BehaviourModel = {
  halfLifeMs: 14 * dayMs,
  benefit: 4,
  trustedAbove: 0.5,
};

/** Reports older than this many half-lives count less than a thousandth, and need not be read. */
export const forgottenHalfLives = 10;

/**
 * A player's behaviour score from others' reports: 1 is spotless, and near 0 means many complaints.
 *
 * 1. Every report decays: it counts `weight · 2^(−age / halfLifeMs)`.
 * 2. A reporter counts once against a player and once for them, by the strongest of their reports: a repeated report after
 *    every match adds nothing.
 * 3. Complaints add up to `b`, commendations to `g`. The score is `(k + g) / (k + g + b)`, where `k` is the model's
 *    `benefit`.
 *
 * It is the mean of a beta belief about "behaves well" that starts with `k` good encounters and no bad ones, with
 * forgetting (Jøsang and Ismail, The Beta Reputation System, 2002). So it never rises by a complaint nor falls by a
 * commendation, it returns to 1 over time, and one complaint takes at most `1 / (k + 1)`.
 *
 * @param marks reports on the player, in any order
 * @param now milliseconds since the epoch; later reports count as new
 * @returns above 0, at most 1
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
 * The weight of a reporter, by their own behaviour score: 0 up to `trustedAbove`, then linear up to 1. Reporters of low
 * standing change nothing, whatever their number.
 *
 * @param standing the reporter's score, 0 to 1
 * @returns 0 to 1
 */
export function reporterWeight(standing: number, { trustedAbove } = defaultBehaviourModel): number {
  return Math.min(1, Math.max(0, (standing - trustedAbove) / (1 - trustedAbove)));
}

/** The decayed weight of a report. @returns 0 to 1 */
export function decayedWeight(
  { weight, at }: Pick<BehaviourMark, 'weight' | 'at'>,
  now: number,
  { halfLifeMs }: BehaviourModel,
): number {
  return weight * 2 ** (-Math.max(0, now - at) / halfLifeMs);
}

/** The score as a word, for players: they see no number. */
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

/** The sum over reporters of each one's strongest decayed mark. The reporters of one party in a match count as one. */
function strongest(marks: readonly BehaviourMark[], now: number, model: BehaviourModel): number {
  const byReporter = new Map<string, number>();
  for (const mark of withoutEchoes(marks)) {
    const counts = decayedWeight(mark, now, model);
    byReporter.set(mark.reporter, Math.max(counts, byReporter.get(mark.reporter) ?? 0));
  }
  // In rising order, so that the sum is the same to the bit for any order of marks.
  return [...byReporter.values()].toSorted((a, b) => a - b).reduce((sum, counts) => sum + counts, 0);
}

/**
 * Of the marks of one party after one match, the first that has any weight: a later one cannot undo it.
 *
 * Between marks of the same time the reporter's id decides, so that the order of marks does not matter.
 */
function withoutEchoes(marks: readonly BehaviourMark[]): BehaviourMark[] {
  const first = new Map<string, BehaviourMark>();
  const alone: BehaviourMark[] = [];
  for (const mark of marks) {
    if (mark.weight === 0) continue;
    if (mark.party === null) {
      alone.push(mark);
      continue;
    }
    const key = `${mark.party} ${mark.matchId}`;
    const known = first.get(key);
    if (!known || mark.at < known.at || (mark.at === known.at && mark.reporter < known.reporter))
      first.set(key, mark);
  }
  return [...alone, ...first.values()];
}
