/** Bots are rated as players whose ids begin so; an index of the ratings knows it, too. */
export const botIdPrefix = 'bot:';

/** Whether a player id is a bot's. */
export function isBot(playerId: string): boolean {
  return playerId.startsWith(botIdPrefix);
}

/** The player id under which a bot is rated; blanks become `_`, since ids have none. It may be no valid id. */
export function botId(name: string): string {
  return `${botIdPrefix}${name.replace(/\s+/g, '_')}`;
}
