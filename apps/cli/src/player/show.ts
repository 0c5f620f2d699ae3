import type { PlayerOverview } from '@muster/sdk';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import type { Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { indented, tableLines } from '@muster/command-line/terminal/table';
import { penaltyText } from '../penalties/penalties.js';
import { beliefText } from './history.js';

/** Tells all about a player. */
export async function showPlayer(
  ask: Ask,
  playerId: string,
  { matches }: { readonly matches: number },
): Promise<Answer> {
  const player = await ask((operator) => operator.player(playerId, matches));
  return { json: player, text: (ink) => overviewText(player, ink) };
}

/** A part for each thing that there is something to say about. */
export function overviewText(player: PlayerOverview, ink: Ink): string[] {
  const { playerId, ticket, party, penalties, behaviour, matches, ratings, cases } = player;
  const part = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', ink.bold(title), ...indented(lines)];
  return [
    ink.bold(playerId),
    ...indented([
      ticket
        ? `ticket     ${ticket.ticketId} in ${ticket.queue}, ${ticket.state}: ${ticket.reason}`
        : 'ticket     none',
      party ? `party      ${party.partyId}, led by ${party.leader}` : 'party      none',
      `behaviour  ${behaviour.word} (${behaviour.score.toFixed(2)})`,
    ]),
    ...part(
      'Ratings',
      tableLines(
        ['pool', 'rating', 'division', 'matches'],
        ratings.map((each) => [each.pool, beliefText(each), each.division.name, String(each.matches)]),
      ).slice(ratings.length === 0 ? 1 : 0),
    ),
    ...part(
      'Matches',
      matches.map(({ matchId, queue, state, formedAt }) =>
        [matchId, queue ?? 'reported', state, formedAt === null ? '' : moment(formedAt)].join('  '),
      ),
    ),
    ...part('Penalties', penaltyText(penalties)),
    ...part(
      'Cases',
      cases.map(({ caseId, kind, state }) => `${caseId}  ${kind}  ${state}`),
    ),
  ];
}
