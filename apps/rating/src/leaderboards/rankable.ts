import { isBot, isPseudonym } from '@muster/domain';

/** Whether a player may have a rank at all, on a board or in final standings. Bots and erased players have none. */
export function isRankable(playerId: string): boolean {
  return !isBot(playerId) && !isPseudonym(playerId);
}
