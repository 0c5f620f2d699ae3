import type { SkillBelief } from '@muster/domain';

/** Reads a belief from a JSON column. @throws TypeError for an unknown format */
export function asBelief(value: unknown): SkillBelief {
  if (typeof value === 'object' && value !== null && 'mu' in value && 'sigma' in value) {
    const { mu, sigma } = value;
    if (typeof mu === 'number' && typeof sigma === 'number') return { mu, sigma };
  }
  throw new TypeError(`not a belief: ${JSON.stringify(value)}`);
}
