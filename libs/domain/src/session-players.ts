import type { SkillBelief } from './rating.js';

/** What a server may be told about the players of a session, beside their ids, teams and roles. */
export const sessionFacts = ['parties', 'names', 'ratings'] as const;
export type SessionFact = (typeof sessionFacts)[number];

/** What a server is told when the rules do not say. Ratings are hidden from players, so a queue opts in to them. */
export const defaultSessionFacts: readonly SessionFact[] = ['parties', 'names'];

/** A player of a match, with what is known about them. */
export interface KnownPlayer extends SkillBelief {
  readonly playerId: string;
  /** Null: the player came by no ticket. */
  readonly ticketId: string | null;
  /** The last display name; null: none is known. */
  readonly name: string | null;
}

/** What a command tells a server about the players whom it names. A part that the rules keep back is absent. */
export interface SessionPlayers {
  /** The players of each party of two or more. */
  readonly parties?: readonly (readonly string[])[];
  /** Display names by player; a player without one is missing. */
  readonly names?: Readonly<Record<string, string>>;
  /** The level by player with which the teams were made. */
  readonly ratings?: Readonly<Record<string, SkillBelief>>;
}

/** @param players those whom the command names @param tells what the rules of the queue allow */
export function sessionPlayers(
  players: readonly KnownPlayer[],
  tells: readonly SessionFact[] = defaultSessionFacts,
): SessionPlayers {
  return {
    ...(tells.includes('parties') ? { parties: partiesOf(players) } : {}),
    ...(tells.includes('names')
      ? {
          names: Object.fromEntries(
            players.flatMap(({ playerId, name }) => (name === null ? [] : [[playerId, name]])),
          ),
        }
      : {}),
    ...(tells.includes('ratings')
      ? { ratings: Object.fromEntries(players.map(({ playerId, mu, sigma }) => [playerId, { mu, sigma }])) }
      : {}),
  };
}

function partiesOf(players: readonly KnownPlayer[]): string[][] {
  const byTicket = new Map<string, string[]>();
  for (const { playerId, ticketId } of players) {
    if (ticketId === null) continue;
    const party = byTicket.get(ticketId);
    if (party) party.push(playerId);
    else byTicket.set(ticketId, [playerId]);
  }
  return [...byTicket.values()].filter((party) => party.length > 1);
}
