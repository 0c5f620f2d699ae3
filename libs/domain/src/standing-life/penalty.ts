import type { Penalty, RecordedPenalty } from '../penalty.js';
import type { StandingDecision } from './decision.js';

/**
 * Players are penalised. A player is penalised once for a match and kind: the first penalty stays, and a penalty that is forgiven
 * does not come back.
 *
 * @param known penalties of the same matches
 * @returns what is written, in the order given
 */
export function decidePenalties(
  known: readonly Penalty[],
  charged: readonly Penalty[],
): StandingDecision<void, readonly Penalty[]> {
  const ids = new Set(known.map(({ penaltyId }) => penaltyId));
  const offences = new Set(known.map(offenceOf));
  const fresh = charged.filter((penalty) => {
    const offence = offenceOf(penalty);
    if (ids.has(penalty.penaltyId) || offences.has(offence)) return false;
    ids.add(penalty.penaltyId);
    offences.add(offence);
    return true;
  });
  return { outcome: undefined, changes: fresh.length > 0 ? fresh : null };
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

/** Whether a penalty still counts for a cool-down: it is younger than a time, and not forgiven. */
export function penaltyCounts(
  { at, forgivenAt }: Pick<RecordedPenalty, 'at' | 'forgivenAt'>,
  since: number,
): boolean {
  return forgivenAt === null && at > since;
}
