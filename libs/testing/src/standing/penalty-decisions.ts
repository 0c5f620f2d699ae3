import type { Lift, Penalty, RecordedPenalty } from '@muster/domain';

/**
 * Players are penalised. A player is penalised once for a match and kind: the first penalty stays, and a penalty that is forgiven
 * does not come back. One that was lifted does for a later offence.
 *
 * @param known penalties of the same matches
 * @returns what is written, in the order given
 */
export function penaltiesOf(known: readonly RecordedPenalty[], charged: readonly Penalty[]): Penalty[] {
  const ids = new Set(known.map(({ penaltyId }) => penaltyId));
  const offences = new Map(known.map((penalty) => [offenceOf(penalty), penalty]));
  const seen = new Set<string>();
  return charged.flatMap((penalty): Penalty[] => {
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
}

/**
 * Penalties are lifted. One that is not known is written as lifted, since the order of the two is not fixed.
 *
 * @returns what is written
 */
export function liftedOf(
  known: readonly RecordedPenalty[],
  penalties: readonly Penalty[],
  lift: Lift,
): RecordedPenalty[] {
  const offences = new Map(known.map((penalty) => [offenceOf(penalty), penalty]));
  const written = new Map<string, RecordedPenalty>();
  for (const penalty of penalties) {
    const offence = offenceOf(penalty);
    const before = offences.get(offence) ?? written.get(offence);
    if (!before) written.set(offence, { ...penalty, forgivenAt: null, lifted: lift });
    else if (before.at <= lift.at && before.forgivenAt === null && !before.lifted)
      written.set(offence, { ...before, lifted: lift });
  }
  return [...written.values()];
}

const offenceOf = ({ matchId, playerId, kind }: Penalty): string => JSON.stringify([matchId, playerId, kind]);
