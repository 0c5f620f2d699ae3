import { own, type MatchEvent, type Played, type RosterEntry, type Situation } from '@muster/domain';

/** The stored facts of a match that has a result. */
export interface EndedMatch {
  readonly ranks: readonly number[];
  /** Written by the allocator. */
  readonly played: unknown;
  readonly region: string | null;
  readonly map: string | null;
  /** Of the rules under which it was formed. */
  readonly sides: readonly string[] | null;
  readonly endedAt: Date | null;
  readonly players: readonly (RosterEntry & { readonly role: string | null })[] | null;
}

/**
 * An ended match as an event. Parties are who came on one ticket. A team that nobody came to is left out, with its rank, and the
 * others are rated among themselves.
 */
export function eventOf(matchId: string, match: EndedMatch, now: number): MatchEvent {
  const { absent = [], ...reported } = (match.played ?? {}) as Played;
  const players = (match.players ?? []).filter(({ playerId }) => !absent.includes(playerId));
  const teams: string[][] = match.ranks.map(() => []);
  const tickets: Map<string, number>[] = match.ranks.map(() => new Map());
  for (const { playerId, team, ticketId } of players) {
    teams[team]?.push(playerId);
    const sizes = tickets[team];
    if (ticketId !== null) sizes?.set(ticketId, (sizes.get(ticketId) ?? 0) + 1);
  }
  const parties = tickets.map((sizes) => [...sizes.values()].filter((size) => size > 1));
  const of = <T>(byTeam: readonly T[]): T[] => byTeam.filter((_, t) => teams[t]?.length);
  const { scores, ...played } = playedAsFormed({ ...match, played: reported }, players);
  const situation: Situation = {
    ...played.situation,
    ...(played.situation?.sides ? { sides: of(played.situation.sides) } : {}),
    ...(parties.some((sizes) => sizes.length > 0) ? { parties: of(parties) } : {}),
  };
  return {
    kind: 'match',
    eventId: matchId,
    at: match.endedAt?.getTime() ?? now,
    teams: of(teams),
    ranks: of(match.ranks),
    played: {
      ...played,
      ...(Object.keys(situation).length > 0 ? { situation } : {}),
      ...(scores ? { scores: of(scores) } : {}),
    },
  };
}

/** What the server reported; of the sides, the map and the roles that it does not name, what it was told to play. */
function playedAsFormed(
  { played, region, map, sides, ranks }: EndedMatch,
  players: NonNullable<EndedMatch['players']>,
): Played {
  const reported = (played ?? {}) as Played;
  const formed = {
    ...(sides?.length === ranks.length ? { sides } : {}),
    ...(map === null ? {} : { map }),
  };
  const situation = { ...formed, ...reported.situation };
  const roles = players.flatMap(({ playerId, role }) =>
    role === null ? [] : [[playerId, { role, ...own(reported.facts, playerId) }] as const],
  );
  return {
    ...reported,
    ...(Object.keys(situation).length > 0 ? { situation } : {}),
    ...(roles.length > 0 ? { facts: { ...reported.facts, ...Object.fromEntries(roles) } } : {}),
    ...(region === null ? {} : { region }),
  };
}
