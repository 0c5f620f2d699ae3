import type { Roster, RosterPlayer } from './roster.js';

/** What happens on a running server, as it changes the roster. */
export type RosterEvent =
  /** Somebody comes, on a team or none; whoever is there already is there as said now. */
  | {
      readonly kind: 'join';
      readonly playerId: string;
      readonly team: number | null;
      readonly rating: number;
      readonly partyId?: string;
      readonly bot?: boolean;
      readonly spectator?: boolean;
    }
  | { readonly kind: 'leave'; readonly playerId: string }
  | { readonly kind: 'death'; readonly playerId: string }
  | { readonly kind: 'spawn'; readonly playerId: string }
  | { readonly kind: 'team'; readonly playerId: string; readonly team: number | null }
  /** Points of the match so far. */
  | { readonly kind: 'score'; readonly playerId: string; readonly points: number }
  /** Seconds until the match ends; null: open-ended. */
  | { readonly kind: 'clock'; readonly secondsLeft: number | null }
  /** A round begins: everybody lives. */
  | { readonly kind: 'round' };

/**
 * The roster after an event. One about somebody who is not there changes nothing, for they may have left before it was told.
 */
export function afterEvent(roster: Roster, event: RosterEvent): Roster {
  switch (event.kind) {
    case 'join': {
      const { kind: _, ...player } = event;
      const others = roster.players.filter(({ playerId }) => playerId !== event.playerId);
      const before = roster.players.find(({ playerId }) => playerId === event.playerId);
      return { ...roster, players: [...others, { ...before, ...player, alive: true }] };
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
