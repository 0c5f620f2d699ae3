import type { PlayerClaims } from '@muster/domain';
import { z } from 'zod';

const Claims = z.strictObject({
  verified: z.boolean().optional(),
  playMinutes: z.number().min(0).optional(),
  accountCreatedAt: z.number().int().optional(),
});

/**
 * Reads the claim `muster` of a token: what the game's login says of the player. No claim says nothing.
 *
 * @returns null when it is not of the right form
 */
export function readPlayerClaims(claim: unknown): PlayerClaims | null {
  const read = Claims.safeParse(claim ?? {});
  if (!read.success) return null;
  const { verified, playMinutes, accountCreatedAt } = read.data;
  return {
    ...(verified === undefined ? {} : { verified }),
    ...(playMinutes === undefined ? {} : { playMinutes }),
    ...(accountCreatedAt === undefined ? {} : { accountCreatedAt }),
  };
}
