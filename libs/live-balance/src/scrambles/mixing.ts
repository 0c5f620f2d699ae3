import { message, shown, type Message } from '@muster/domain';
import { split, type SplitOptions, type SplitProblem } from '@muster/solver';
import {
  headStart,
  isPlaying,
  largest,
  playing,
  spread,
  sumsOf,
  type Move,
  type Roster,
  type RosterPlayer,
  type TeamPlayer,
} from '../roster/roster.js';
import { scramblePool } from './scramble.js';

/** New teams for all players. */
export interface Mixed {
  /** The players who change team; empty where the teams stay. */
  readonly moves: readonly Move[];
  /** Largest sum less the smallest before and after, in ratings, bots included. */
  readonly before: number;
  readonly after: number;
  /** True where these are proven to be the most even of the allowed teams. */
  readonly exact: boolean;
  /** For everybody on the server. */
  readonly why: readonly Message[];
}

/** Memory for the solver's lists: an answer within a few milliseconds for two teams of any size. */
const memoryBytes = 2 ** 22;
/** Number of best splits that are searched for one that differs from the present teams. */
const looksAt = 4;

/**
 * The most even teams of all players, of equal size up to one. Parties stay together, bots stay in place and count; of
 * teams that differ only in their names, those that move the fewest are chosen; where sides count, names make a difference.
 *
 * @param into `other`: different from the present teams, where possible; `best`: the most even, whichever they are
 * @param deadline when the search ends with the best result so far; none when left out
 */
export function mixTeams(roster: Roster, into: 'other' | 'best', deadline?: SplitOptions['deadline']): Mixed {
  const before = spread(sumsOf(roster));
  const stay = (why: Message): Mixed => ({
    moves: [],
    before,
    after: before,
    exact: false,
    why: [why],
  });
  const humans = scramblePool(roster);
  if (humans.length === 0) return stay(message('scramble.nobody'));
  const present = playing(roster);
  const whole = { ...roster, players: [...roster.players, ...headStart(roster, present)] };
  const bots = playing(whole).filter(({ bot }) => bot);
  const firstBots = firstOf(bots.map(({ playerId, team }) => [team, playerId]));
  const answer = split(problemOf(roster.teams, humans, bots, firstBots), {
    best: looksAt,
    memoryBytes,
    ...(deadline ? { deadline } : {}),
  });
  if (answer.outcome === 'refused') return stay(message('scramble.no-equal-teams'));
  const ways = answer.solutions.map(({ teams, difference }) => ({
    difference,
    moves: movesTo(whole, teams, firstBots),
  }));
  // Where sides count, the same teams on the other sides are a split of its own, for which everybody moves.
  const isOther = (moves: readonly Move[]): boolean => moves.length > 0 && moves.length < present.length;
  const at = into === 'best' ? 0 : ways.findIndex(({ moves }) => isOther(moves));
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

/** Teams of equal size up to one. The bots of a team are one party that avoids the other teams' bots: so they stay in place. */
function problemOf(
  teams: number,
  humans: readonly RosterPlayer[],
  bots: readonly TeamPlayer[],
  firstBots: ReadonlyMap<number, string>,
): SplitProblem {
  const total = humans.length + bots.length;
  return {
    players: [
      ...humans.map(({ playerId, rating, partyId }) => ({
        id: playerId,
        weight: rating,
        ...(partyId === undefined ? {} : { party: `party ${partyId}` }),
      })),
      ...bots.map(({ playerId, rating, team }) => ({ id: playerId, weight: rating, party: `bots ${team}` })),
    ],
    teamSizes: Array.from(
      { length: teams },
      (_, team) => Math.floor(total / teams) + Number(team < total % teams),
    ),
    avoid: pairsOf([...firstBots.values()]),
  };
}

const firstOf = (entries: readonly (readonly [number, string])[]): ReadonlyMap<number, string> =>
  new Map(entries.toReversed());

const pairsOf = (ids: readonly string[]): [string, string][] =>
  ids.flatMap((one, i) => ids.slice(i + 1).map((other): [string, string] => [one, other]));

/** The moves from the present teams to these, with names chosen so that few players move. */
function movesTo(
  roster: Roster,
  teams: readonly (readonly string[])[],
  firstBots: ReadonlyMap<number, string>,
): Move[] {
  const teamOf = new Map(roster.players.filter(isPlaying).map(({ playerId, team }) => [playerId, team]));
  // Players who stay count for a name; bots decide it.
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
