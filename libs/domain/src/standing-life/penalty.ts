import type { Lift, Penalty, RecordedPenalty } from '../players/penalty.js';
import type { StandingDecision } from './decision.js';

/**
 * Players are penalised. A player is penalised once for a match and kind: the first penalty stays, and a penalty that is forgiven
 * does not come back. One that was lifted does for a later offence.
 *
 * @param known penalties of the same matches
 * @returns what is written, in the order given
 */
export function decidePenalties(
  known: readonly RecordedPenalty[],
  charged: readonly Penalty[],
): StandingDecision<void, readonly Penalty[]> {
  const ids = new Set(known.map(({ penaltyId }) => penaltyId));
  const offences = new Map(known.map((penalty) => [offenceOf(penalty), penalty]));
  const seen = new Set<string>();
  const written = charged.flatMap((penalty): Penalty[] => {
    const offence = offenceOf(penalty);
    if (seen.has(offence)) return [];
    seen.add(offence);
    const before = offences.get(offence);
    if (before) {
      const { penaltyId, lifted } = before;
      return lifted && lifted.at < penalty.at ? [{ ...penalty, penaltyId }] : [];
    }
    if (ids.has(penalty.penaltyId)) return [];
    ids.add(penalty.penaltyId);
    return [penalty];
  });
  return { outcome: undefined, changes: written.length > 0 ? written : null };
}

/**
 * Penalties are lifted. One that is not known is written as lifted, since the order of the two is not fixed.
 *
 * @returns what is written
 */
export function decideLift(
  known: readonly RecordedPenalty[],
  penalties: readonly Penalty[],
  lift: Lift,
): StandingDecision<void, readonly RecordedPenalty[]> {
  const offences = new Map(known.map((penalty) => [offenceOf(penalty), penalty]));
  const written = new Map<string, RecordedPenalty>();
  for (const penalty of penalties) {
    const offence = offenceOf(penalty);
    const before = offences.get(offence) ?? written.get(offence);
    if (!before) written.set(offence, { ...penalty, forgivenAt: null, lifted: lift });
    else if (before.at <= lift.at && before.forgivenAt === null && !before.lifted)
      written.set(offence, { ...before, lifted: lift });
  }
  return { outcome: undefined, changes: written.size > 0 ? [...written.values()] : null };
}

const offenceOf = ({ matchId, playerId, kind }: Penalty): string => JSON.stringify([matchId, playerId, kind]);

/**
 * An operator forgives a penalty: it counts no more. One that is forgiven keeps its time.
 *
 * @param penalty null: there is no such penalty
 * @returns false when the player has no such penalty
 */
export function decideForgiveness(
  penalty: Pick<RecordedPenalty, 'penaltyId' | 'playerId' | 'forgivenAt'> | null,
  playerId: string,
  now: number,
): StandingDecision<boolean, { readonly penaltyId: string; readonly forgivenAt: number }> {
  if (penalty?.playerId !== playerId) return { outcome: false, changes: null };
  const { penaltyId, forgivenAt } = penalty;
  return { outcome: true, changes: forgivenAt === null ? { penaltyId, forgivenAt: now } : null };
}

/** Whether a penalty still counts for a cool-down: it is younger than a time, and neither forgiven nor lifted. */
export function penaltyCounts(
  { at, forgivenAt, lifted }: Pick<RecordedPenalty, 'at' | 'forgivenAt' | 'lifted'>,
  since: number,
): boolean {
  return forgivenAt === null && lifted === undefined && at > since;
}
