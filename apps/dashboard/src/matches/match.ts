import type { AnswerOf } from '@muster/contracts';

/** A match as operators see it. */
export type Match = AnswerOf<'readMatch'>;
export type MatchPlayer = Match['players'][number];
export type Rules = AnswerOf<'listRules'>['versions'][number]['rules'];
export type Penalty = AnswerOf<'readPenalties'>['penalties'][number] & { readonly playerId: string };
export type Report = AnswerOf<'readBehaviour'>['reports'][number] & { readonly playerId: string };
export type Conflict = AnswerOf<'listConflicts'>['conflicts'][number];

/** The states in which more will happen to a match by itself. */
const goesOn: readonly Match['state'][] = ['formed', 'placed', 'ended'];
export const isLive = ({ state }: Pick<Match, 'state'>): boolean => goesOn.includes(state);

interface Roster {
  readonly players: readonly MatchPlayer[];
}

/** Players whom the matcher put together: those who joined later came by a backfill. */
export const startersOf = ({ players }: Roster): readonly MatchPlayer[] =>
  players.filter(({ joinedAt }) => joinedAt === null);

/** The players of each team, in team order; also of a team that nobody is in. */
export function teamsOf(match: Roster & Pick<Match, 'prediction' | 'ranks'>): readonly MatchPlayer[][] {
  const { players, prediction, ranks } = match;
  const count = Math.max(prediction.length, ranks.length, ...players.map(({ team }) => team + 1), 0);
  return Array.from({ length: count }, (_, t) => players.filter(({ team }) => team === t));
}

/** The parties of a match: tickets of several players, with a letter each. */
export function partiesOf({ players }: Roster): ReadonlyMap<string, string> {
  const sizes = new Map<string, number>();
  for (const { ticketId } of players)
    if (ticketId !== null) sizes.set(ticketId, (sizes.get(ticketId) ?? 0) + 1);
  const tickets = [...sizes].filter(([, size]) => size > 1).map(([ticketId]) => ticketId);
  return new Map(tickets.map((ticketId, i) => [ticketId, letterOf(i)]));
}

const letterOf = (i: number): string =>
  String.fromCodePoint(65 + (i % 26)) + (i < 26 ? '' : Math.floor(i / 26));

/** The longest wait of those who were put together, in milliseconds; the rules widen for all by it. Null: nobody waited. */
export function longestWaitOf(match: Roster): number | null {
  const waits = startersOf(match).flatMap(({ waitedMs }) => waitedMs ?? []);
  return waits.length === 0 ? null : Math.max(...waits);
}

/** A message of a match's explanation with its facts, by its code. */
export const factsOf = (
  { whyMessages }: Pick<Match, 'whyMessages'>,
  code: string,
): Readonly<Record<string, unknown>> | undefined => whyMessages?.find((each) => each.code === code)?.params;

/** Tickets are known for an hour after their match; some minutes are spared. */
const ticketKnownMs = 3_300_000;

/** A ticket of the match whose events tell how it found a server; null: they are not known any more. */
export function knownTicketOf(match: Match, now: number): string | null {
  const isKnown = match.closedAt === null || now - match.closedAt < ticketKnownMs;
  return isKnown ? (startersOf(match).find(({ ticketId }) => ticketId !== null)?.ticketId ?? null) : null;
}
