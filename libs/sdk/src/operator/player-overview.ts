import type { AnswerOf } from '@muster/contracts';
import type { OperatorClient } from '../operator-client.js';

/** What is known of a player. */
export interface PlayerOverview {
  readonly playerId: string;
  /** The ticket that holds the player; null: none. */
  readonly ticket: AnswerOf<'readTicketOf'> | null;
  readonly party: AnswerOf<'readPartyOf'>['party'];
  /** With the ban that is in force. */
  readonly penalties: AnswerOf<'readPenalties'>;
  readonly behaviour: AnswerOf<'readBehaviour'>;
  /** Newest first. */
  readonly matches: AnswerOf<'listMatches'>['matches'];
  /** Of the pools in which the player has matches. */
  readonly ratings: readonly AnswerOf<'readRating'>[];
  readonly cases: AnswerOf<'listCases'>['cases'];
}

/**
 * Reads everything about a player: several calls at once, of different services, so that one part may be newer than another.
 *
 * @param matches how many of their matches, newest first
 */
export async function readPlayer(
  operator: OperatorClient,
  playerId: string,
  matches = 5,
): Promise<PlayerOverview> {
  const [ticket, { party }, penalties, behaviour, played, ratings, { cases }] = await Promise.all([
    ticketOf(operator, playerId),
    operator.partyOf(playerId),
    operator.penalties(playerId),
    operator.behaviour(playerId),
    operator.matches({ playerId, limit: matches }),
    ratingsOf(operator, playerId),
    operator.cases({ player: playerId }),
  ]);
  return { playerId, ticket, party, penalties, behaviour, matches: played.matches, ratings, cases };
}

async function ticketOf(operator: OperatorClient, playerId: string): Promise<PlayerOverview['ticket']> {
  // Most players have none: a list is empty then, where a call for the ticket is refused.
  const { tickets } = await operator.tickets({ playerId, limit: 1 });
  return tickets[0] ?? null;
}

async function ratingsOf(operator: OperatorClient, playerId: string): Promise<PlayerOverview['ratings']> {
  const { pools } = await operator.pools();
  const ratings = await Promise.all(pools.map(({ name }) => operator.rating(name, playerId)));
  return ratings.filter((rating) => rating.matches > 0);
}
