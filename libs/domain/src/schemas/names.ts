import { z } from 'zod';
import { isReservedId, reservedIdPrefixes } from '../players/reserved-id.js';

/** Ids that callers choose: a letter or digit, then letters, digits and `_ . : @ -`, 64 at most. */
const id = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,63}$/,
    'must start with a letter or digit and hold only letters, digits and _ . : @ - (64 at most)',
  );

export const PlayerId = id.meta({ description: 'The game’s id of a player.' });
/** The id of a person: not of a bot or of an erased player, whose ids only results and servers may name. */
export const PersonId = id
  .refine((playerId) => !isReservedId(playerId), {
    error: `must not begin with ${reservedIdPrefixes.join(' or ')}: these prefixes are reserved for bots and erased players`,
  })
  .meta({ description: 'The game’s id of a player.' });
export const PartyName = id;
export const RoleName = id;
export const ServerId = id.meta({ description: 'The stable name of a dedicated server.' });
/** Names of pools and queues: they occur in paths and in commands. */
export const poolNamePattern = /^[a-z0-9][a-z0-9-]{0,39}$/;
export const PoolName = z
  .string()
  .regex(poolNamePattern, 'must hold only small letters, digits and - (40 at most)');
export const QueueName = PoolName;
export const RegionName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must hold only small letters, digits and - (32 at most)');
/** A player's platform. */
export const platformPattern = /^[a-z0-9][a-z0-9-]{0,31}$/;
export const PlatformName = z
  .string()
  .regex(platformPattern, 'must hold only small letters, digits and - (32 at most)')
  .meta({ description: 'A player’s platform, such as pc, playstation, xbox, switch or mobile.' });
export const BuildName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}$/, 'must hold only letters, digits and _ . + - (64 at most)');
/** Ids that the coordinator creates. */
export const CoordinatorId = z
  .string()
  .regex(
    /^[a-z]{2,4}_[A-Za-z0-9_-]{8,64}$/,
    'must be an id that the coordinator made: 2 to 4 small letters, _ and 8 to 64 letters, digits, _ or -, such as mat_x7Qd2mVb',
  );
/** Text that every store can hold: Postgres refuses NUL, and JSON cannot hold half a surrogate pair. */
export const plainText = /^[^\0\p{Cs}]*$/u;
/** Such a text of 1 to `most` characters. */
export function textUpTo(most: number): z.ZodString {
  return z.string().min(1).max(most).regex(plainText, notPlain);
}
/** What a refusal of other text says. */
export const notPlain = 'must be text without NUL characters and unpaired surrogates';
/** A short text chosen by people. */
export const Label = textUpTo(64);
/** The name of a label of a server. */
export const labelNamePattern = /^[a-z][a-z0-9-]{0,31}$/;
