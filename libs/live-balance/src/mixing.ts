import { message, shown, type Message } from '@muster/domain';
import { split, type SplitOptions } from '@muster/solver';
import { byTeam, isPlaying, largest, playing, spread, type Move, type Roster } from './roster.js';
import { scramblePool } from './scramble.js';

/** New teams for everybody who plays. */
export interface Mixed {
  /** Who changes team; empty where the teams stay. */
  readonly moves: readonly Move[];
  /** Largest sum less the smallest before and after, in ratings, bots included. */
  readonly before: number;
  readonly after: number;
  /** True where these are proven to be the most even teams, of those that were asked for. */
  readonly exact: boolean;
  /** For everybody on the server. */
  readonly why: readonly Message[];
}

/** What the solver's lists may take: an answer within a few milliseconds for two teams of any size. */
const memoryBytes = 2 ** 22;
/** So many of the best teams are looked at, for one that is another than now. */
const looksAt = 4;

/**
 * The most even teams of equal size, but for odd ones, of everybody who plays. Parties stay together, bots stay where they are
 * and count; of teams that are alike but for their names those are taken that move the fewest.
 *
 * @param into `other`: not the teams that there are now, where there are any others; `best`: whichever are the most even
 * @param deadline when the search ends with the best that it has; none when left out
 */
export function mixTeams(roster: Roster, into: 'other' | 'best', deadline?: SplitOptions['deadline']): Mixed {
  const before = spread(byTeam(roster, ({ rating }) => rating));
  const stay = (why: Message): Mixed => ({
    moves: [],
    before,
    after: before,
    exact: false,
    why: [why],
  });
  const humans = scramblePool(roster);
  if (humans.length === 0) return stay(message('scramble.nobody'));
  const bots = playing(roster).filter(({ bot }) => bot);
  const firstBots = firstOf(bots.map(({ playerId, team }) => [team, playerId]));
  const total = humans.length + bots.length;
  const answer = split(
    {
      players: [
        ...humans.map(({ playerId, rating, partyId }) => ({
          id: playerId,
          weight: rating,
          ...(partyId === undefined ? {} : { party: `party ${partyId}` }),
        })),
        // The bots of a team are one party, and no friends of the other teams' bots: so they stay as they are.
        ...bots.map(({ playerId, rating, team }) => ({
          id: playerId,
          weight: rating,
          party: `bots ${team}`,
        })),
      ],
      teamSizes: Array.from(
        { length: roster.teams },
        (_, team) => Math.floor(total / roster.teams) + Number(team < total % roster.teams),
      ),
      avoid: pairsOf([...firstBots.values()]),
    },
    { best: looksAt, memoryBytes, ...(deadline ? { deadline } : {}) },
  );
  if (answer.outcome === 'refused') return stay(message('scramble.no-equal-teams'));
  const ways = answer.solutions.map(({ teams, difference }) => ({
    difference,
    moves: movesTo(roster, teams, firstBots),
  }));
  const at = into === 'best' ? 0 : ways.findIndex(({ moves }) => moves.length > 0);
  const way = ways[at];
  if (!way) return stay(message('scramble.no-other-teams'));
  const { moves, difference } = way;
  const exact = answer.certificate.status === 'proven' && (at === 0 || answer.ranked);
  const why =
    moves.length === 0
      ? message('scramble.best-already')
      : message('scramble.changed', {
          players: moves.length,
          difference: shown(difference),
          before: shown(before),
        });
  return { moves, before, after: difference, exact, why: [why] };
}

const firstOf = (entries: readonly (readonly [number, string])[]): ReadonlyMap<number, string> =>
  new Map(entries.toReversed());

const pairsOf = (ids: readonly string[]): [string, string][] =>
  ids.flatMap((one, i) => ids.slice(i + 1).map((other): [string, string] => [one, other]));

/** What it takes from the teams that there are to these, whatever they are called: so that the fewest move, or nearly. */
function movesTo(
  roster: Roster,
  teams: readonly (readonly string[])[],
  firstBots: ReadonlyMap<number, string>,
): Move[] {
  const teamOf = new Map(roster.players.filter(isPlaying).map(({ playerId, team }) => [playerId, team]));
  // Whoever stays where they are counts for a name; bots decide it.
  const alike = teams.map((members) =>
    Array.from(
      { length: roster.teams },
      (_, team) =>
        members.filter((id) => teamOf.get(id) === team).length +
        (members.includes(firstBots.get(team) ?? '') ? roster.players.length : 0),
    ),
  );
  const nameFor = new Map<number, number>();
  const taken = new Set<number>();
  for (let k = 0; k < teams.length; k++) {
    const best = alike.map((row, i) =>
      nameFor.has(i) ? -1 : Math.max(...row.map((value, team) => (taken.has(team) ? -1 : value))),
    );
    const i = largest(best);
    const team = alike[i]!.findIndex((value, t) => !taken.has(t) && value === best[i]);
    nameFor.set(i, team);
    taken.add(team);
  }
  return teams.flatMap((members, i) =>
    members.flatMap((playerId): Move[] => {
      const from = teamOf.get(playerId)!;
      const to = nameFor.get(i)!;
      return from === to ? [] : [{ playerId, from, to }];
    }),
  );
}
