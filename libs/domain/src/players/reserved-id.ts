import { botIdPrefix } from './bot.js';
import { pseudonymPrefix } from './pseudonym.js';

/** Prefixes of ids that are no person's: rated bots, and the pseudonyms of erased players. No player token may name one. */
export const reservedIdPrefixes = [botIdPrefix, pseudonymPrefix] as const;

/** Whether an id is reserved for bots or for the pseudonyms of erased players. */
export function isReservedId(playerId: string): boolean {
  return reservedIdPrefixes.some((prefix) => playerId.startsWith(prefix));
}
