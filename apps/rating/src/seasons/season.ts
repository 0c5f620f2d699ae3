import type { Season, SeasonEvent } from '@muster/domain';

/** The season that an event of the ledger began. */
export function seasonOf({ number, name, rules, at }: SeasonEvent, sequence: number): Season {
  const { keep, uncertainty, placementMatches } = rules;
  return { number, name, keep, uncertainty, placementMatches, startedAt: at, sequence };
}
