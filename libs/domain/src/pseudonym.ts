const prefix = 'erased-';

/** What takes the place of an erased player's id. @param random 18 hexadecimal digits */
export const pseudonymOf = (random: string): string => `${prefix}${random}`;

/** Whether an id stands for an erased player. */
export function isPseudonym(playerId: string): boolean {
  return playerId.startsWith(prefix) && /^[0-9a-f]{18}$/.test(playerId.slice(prefix.length));
}
