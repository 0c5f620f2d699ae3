import { DisplayName } from '@muster/contracts';
import type { PlayerClaims } from '@muster/domain';
import { PlatformName } from '@muster/domain/schemas';
import { z } from 'zod';

/** The most entitlements of a player: they are part of party passes, which have a limit. */
export const mostEntitlements = 16;
/** What a player owns or may do, by a name of the game, such as `season-pass`. */
export const Entitlement = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must hold only small letters, digits and - (32 at most)');

const Claims = z.strictObject({
  verified: z.boolean().optional(),
  playMinutes: z.number().min(0).optional(),
  accountCreatedAt: z.number().int().optional(),
  entitlements: z.array(Entitlement).max(mostEntitlements).optional(),
  name: z.unknown().optional(),
  platform: PlatformName.optional(),
});

/** What the game's login says of a player. */
export interface ToldPlayer {
  readonly claims: PlayerClaims;
  /** The display name. */
  readonly name?: string;
  /** The platform, which counts whatever their client says. */
  readonly platform?: string;
}

/**
 * Reads the `muster` claim of a token, in which the game's login describes the player. Without the claim the result is
 * empty.
 *
 * @returns null if the claim is malformed
 */
export function readPlayerClaims(claim: unknown): PlayerClaims | null {
  return readTold(claim)?.claims ?? null;
}

/** The same with what is apart from the claims, which are stored with parties and passes. */
export function readTold(claim: unknown): ToldPlayer | null {
  const read = Claims.safeParse(claim ?? {});
  if (!read.success) return null;
  const { name, platform, ...claims } = read.data;
  return { claims, ...shown(name), ...(platform === undefined ? {} : { platform }) };
}

/** Nothing depends on a name, so one that cannot be shown is ignored instead of refusing the player. */
export function shown(name: unknown): { readonly name?: string } {
  const read = DisplayName.safeParse(name);
  return read.success ? { name: read.data } : {};
}
