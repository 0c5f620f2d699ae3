import type { Roster, RosterPlayer } from './roster.js';

/** An event on a running server that changes the roster. */
export type RosterEvent =
  /** A player joins, on a team or none; for a present player, updates the team. */
  | ({ readonly kind: 'join' } & Omit<RosterPlayer, 'points' | 'alive' | 'moved'>)
  | { readonly kind: 'leave'; readonly playerId: string }
  | { readonly kind: 'death'; readonly playerId: string }
  | { readonly kind: 'spawn'; readonly playerId: string }
  | { readonly kind: 'team'; readonly playerId: string; readonly team: number | null }
  /** Points of the match so far. */
  | { readonly kind: 'score'; readonly playerId: string; readonly points: number }
  /** Seconds until the match ends; null: open-ended. */
  | { readonly kind: 'clock'; readonly secondsLeft: number | null }
  /** A round begins: all players are alive. */
  | { readonly kind: 'round' };

/** The roster after an event. An event about an absent player has no effect: they may have left before it was reported. */
export function afterEvent(roster: Roster, event: RosterEvent): Roster {
  switch (event.kind) {
    case 'join': {
      const { kind: _, ...player } = event;
      const others = roster.players.filter(({ playerId }) => playerId !== event.playerId);
      const before = roster.players.find(({ playerId }) => playerId === event.playerId);
      return { ...roster, players: [...others, { ...before, lead: undefined, ...player, alive: true }] };
    }
    case 'leave':
      return { ...roster, players: roster.players.filter(({ playerId }) => playerId !== event.playerId) };
    case 'death':
      return changed(roster, event.playerId, { alive: false });
    case 'spawn':
      return changed(roster, event.playerId, { alive: true });
    case 'team':
      return changed(roster, event.playerId, { team: event.team });
    case 'score':
      return changed(roster, event.playerId, { points: event.points });
    case 'clock':
      return { ...roster, secondsLeft: event.secondsLeft };
    case 'round':
      return { ...roster, players: roster.players.map((player) => ({ ...player, alive: true })) };
  }
}

function changed(roster: Roster, playerId: string, change: Partial<RosterPlayer>): Roster {
  return {
    ...roster,
    players: roster.players.map((player) =>
      player.playerId === playerId ? { ...player, ...change } : player,
    ),
  };
}
