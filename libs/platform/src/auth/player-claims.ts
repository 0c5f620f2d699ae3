import { DisplayName } from '@muster/contracts';
import type { PlayerClaims } from '@muster/domain';
import { z } from 'zod';

const Claims = z.strictObject({
  verified: z.boolean().optional(),
  playMinutes: z.number().min(0).optional(),
  accountCreatedAt: z.number().int().optional(),
  name: z.unknown().optional(),
});

/**
 * Reads the `muster` claim of a token, in which the game's login describes the player. Without the claim the result is
 * empty.
 *
 * @returns null if the claim is malformed
 */
export function readPlayerClaims(claim: unknown): PlayerClaims | null {
  const read = Claims.safeParse(claim ?? {});
  if (!read.success) return null;
  const { name: _, ...claims } = read.data;
  return claims;
}

const Named = z.object({ name: DisplayName });

/**
 * Reads the display name in the `muster` claim. It is apart from the claims, which are stored with parties and passes: a name is
 * stored in one place. Nothing depends on a name, so one that cannot be shown is ignored instead of refusing the player.
 */
export function readDisplayName(claim: unknown): string | undefined {
  return Named.safeParse(claim).data?.name;
}
