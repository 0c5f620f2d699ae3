/** Bots are rated as players whose ids begin so; an index of the ratings knows it, too. */
export const botIdPrefix = 'bot:';

/** The player id under which a bot is rated; blanks become `_`, since ids have none. It may be no valid id. */
export function botId(name: string): string {
  return `${botIdPrefix}${name.replace(/\s+/g, '_')}`;
}
