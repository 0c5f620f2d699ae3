/** Ids of erased players begin with this prefix. */
export const pseudonymPrefix = 'erased-';

/** What takes the place of an erased player's id. @param random 18 hexadecimal digits */
export const pseudonymOf = (random: string): string => `${pseudonymPrefix}${random}`;

/** The form of a pseudonym, as a regular expression of both JavaScript and Postgres. */
export const pseudonymPattern = `^${pseudonymPrefix}[0-9a-f]{18}$`;
const pattern = new RegExp(pseudonymPattern);

/** Whether an id stands for an erased player. */
export function isPseudonym(playerId: string): boolean {
  return pattern.test(playerId);
}
