import type { SkillBelief } from '../ratings/rating.js';
import type { TicketAttributes } from '../tickets/ticket.js';

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
  /** The document of the player's ticket, with its leader alone; null: there is none. */
  readonly attributes: TicketAttributes | null;
}

/** What a command tells a server about the players whom it names. A part that the rules keep back is absent. */
export interface SessionPlayers {
  /** The players of each party of two or more. */
  readonly parties?: readonly (readonly string[])[];
  /** Display names by player; a player without one is missing. */
  readonly names?: Readonly<Record<string, string>>;
  /** The level by player with which the teams were made. */
  readonly ratings?: Readonly<Record<string, SkillBelief>>;
  /** The document of each ticket that has one, with its players; absent: there is none. */
  readonly attributes?: readonly {
    readonly playerIds: readonly string[];
    readonly attributes: TicketAttributes;
  }[];
}

/** @param players those whom the command names @param tells what the rules of the queue allow */
export function sessionPlayers(
  players: readonly KnownPlayer[],
  tells: readonly SessionFact[] = defaultSessionFacts,
): SessionPlayers {
  const tickets = ticketsOf(players);
  const attributes = attributesOf(tickets);
  return {
    ...(tells.includes('parties') ? { parties: tickets.map(idsOf).filter((party) => party.length > 1) } : {}),
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
    ...(attributes.length > 0 ? { attributes } : {}),
  };
}

const idsOf = (players: readonly KnownPlayer[]): string[] => players.map(({ playerId }) => playerId);

/** The players of each ticket; one without a ticket is alone. */
function ticketsOf(players: readonly KnownPlayer[]): KnownPlayer[][] {
  const tickets = new Map<string, KnownPlayer[]>();
  const alone: KnownPlayer[][] = [];
  for (const player of players) {
    const { ticketId } = player;
    const others = ticketId === null ? undefined : tickets.get(ticketId);
    if (others) others.push(player);
    else if (ticketId === null) alone.push([player]);
    else tickets.set(ticketId, [player]);
  }
  return [...tickets.values(), ...alone];
}

function attributesOf(
  tickets: readonly (readonly KnownPlayer[])[],
): NonNullable<SessionPlayers['attributes']> {
  return tickets.flatMap((players) =>
    players.flatMap(({ attributes }) => (attributes ? [{ playerIds: idsOf(players), attributes }] : [])),
  );
}
