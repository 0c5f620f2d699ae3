/** Ids of rated bots begin with this prefix; an index of the ratings relies on it, too. */
export const botIdPrefix = 'bot:';

/** Whether a player id is a bot's. */
export function isBot(playerId: string): boolean {
  return playerId.startsWith(botIdPrefix);
}

/** The player id of a rated bot; blanks become `_`, since ids have none. It may be no valid id. */
export function botId(name: string): string {
  return `${botIdPrefix}${name.replace(/\s+/g, '_')}`;
}
