/** How a match is formed of tickets. */
export interface MatchMessages {
  'match.found': Record<never, never>;
  /** `teamSize`: of teams smaller than the queue's; null: they are not. */
  'match.put-together': {
    players: number;
    spread: number;
    teamSize: number | null;
    waitedSeconds: number;
  };
  'match.bots-fill': { bots: number };
  'match.map': { map: string; wished: number; players: number };
  'match.one-platform': { platform: string };
  'match.newcomers': { newcomers: number };
  /** `higher`: the division is above the player's own. */
  'match.booster': { playerId: string; division: string; higher: boolean };
  'match.formed': Record<never, never>;
  'match.fell-apart': Record<never, never>;
  'seat.offered': Record<never, never>;
}
