import type { SkillBelief } from '@muster/domain';
import type { Prisma } from './generated/client.js';

/** A value as Prisma's JSON. Serialised and parsed, so that the stored value equals what a reader gets. */
export function asJson(value: unknown): Prisma.InputJsonValue {
  return JSON.parse(JSON.stringify(value)) as Prisma.InputJsonValue;
}

/** Reads a belief from a JSON column. @throws TypeError for an unknown format */
export function asBelief(value: unknown): SkillBelief {
  if (typeof value === 'object' && value !== null && 'mu' in value && 'sigma' in value) {
    const { mu, sigma } = value;
    if (typeof mu === 'number' && typeof sigma === 'number') return { mu, sigma };
  }
  throw new TypeError(`not a belief: ${JSON.stringify(value)}`);
}
