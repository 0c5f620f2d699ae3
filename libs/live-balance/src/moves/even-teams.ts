import { message, Unsolvable, type BalanceRuleOf } from '@muster/domain';
import { rebalance } from '@muster/solver';
import type { Choice, Guards, Imbalance } from './imbalance.js';
import {
  checkRoster,
  headStart,
  isPlaying,
  largest,
  onSide,
  partySizes,
  playing,
  sizesOf,
  smallest,
  spread,
  strengthsOf,
  sumsOf,
  teamParam,
  type Move,
  type Roster,
} from '../roster/roster.js';
import { rated, raisedParam, withWorth, worthByRule } from '../worth.js';

/** Natural Selection 2: the fewest swaps that make two teams even. */
export type SwapsRule = BalanceRuleOf<'swaps'>;

/** Allowed difference of the sums, in ratings: a share of the teams' mean sum, of ratings raised where one is negative. */
export function toleranceOf(roster: Roster, { toleranceShare }: Pick<SwapsRule, 'toleranceShare'>): number {
  const sums = strengthsOf(roster, rated(roster, 'shares'));
  return (toleranceShare * sums.reduce((total, sum) => total + sum, 0)) / Math.max(1, sums.length);
}

/** The imbalance when two teams differ by more than the tolerance and the rule may act. @returns null otherwise */
export function findUneven(roster: Roster, rule: SwapsRule, isVoted: boolean): Imbalance | null {
  const strengths = strengthsOf(roster, worthByRule(roster, rule));
  if ((rule.onVote && !isVoted) || spread(strengths) <= toleranceOf(roster, rule)) return null;
  const from = largest(strengths);
  const to = smallest(strengths);
  const why = [
    message('balance.stronger', {
      voted: rule.onVote,
      from: teamParam(roster, from),
      to: teamParam(roster, to),
      raised: raisedParam(roster),
    }),
  ];
  return { by: 'difference', from, to, sizes: sizesOf(roster), strengths, why };
}

/** Memory for the solver's lists: enough for any swaps of 16 players, or 3 at once of 64, in a few milliseconds. */
const memoryBytes = 2 ** 20;

/** Even teams and the moves that make them. */
export interface EvenTeams {
  /** Players who were on no team, then the swaps; each player once. */
  readonly moves: readonly Move[];
  /** Largest sum less the smallest afterwards, in ratings. */
  readonly after: number;
  /** True when it is proven that fewer swaps do not suffice, or that more do not improve the result. */
  readonly exact: boolean;
}

/**
 * The fewest swaps that bring two teams within a tolerance, or as near as swaps can (L14, T10). Players on no team who do
 * not watch are placed first. Bots, parties, and players who were moved before stay; a party on no team is placed together,
 * on the smaller team, and one that is partly on a team is completed there.
 *
 * Source: Natural Selection 2, even teams; its greedy swaps are replaced by the solver's exact front.
 *
 * @param tolerance in ratings, at least 0
 * @throws Unsolvable when the roster is invalid or does not have two teams
 */
export function evenTeams(
  roster: Roster,
  {
    tolerance,
    movedBefore = new Set(),
  }: { readonly tolerance: number; readonly movedBefore?: ReadonlySet<string> },
): EvenTeams {
  checkRoster(roster);
  if (roster.teams !== 2)
    throw new Unsolvable(`Two teams are made even; the roster has ${roster.teams}.`, { teams: roster.teams });
  const parties = partySizes(roster);
  const isPinned = ({ playerId, bot, moved, partyId }: Roster['players'][number]): boolean =>
    Boolean(bot || moved) || movedBefore.has(playerId) || (partyId !== undefined && parties.has(partyId));
  const present = roster.players.filter((player) => isPlaying(player) || (!player.spectator && !player.bot));
  const taking = [...present, ...headStart(roster, present)];
  const withParties = placeParties(roster);
  const teamOf = new Map(
    taking.map((player) => [player.playerId, withParties.get(player.playerId) ?? player.team]),
  );
  const on = (team: number): string[] =>
    taking.flatMap(({ playerId }) => (teamOf.get(playerId) === team ? [playerId] : []));
  const answer = rebalance(
    {
      players: taking.map(({ playerId, rating }) => ({ id: playerId, weight: rating })),
      current: [on(0), on(1)],
      tolerance,
      pinned: taking.filter(isPinned).map(({ playerId }) => playerId),
    },
    { memoryBytes },
  );
  if (answer.outcome === 'refused') throw new Unsolvable(answer.message, { why: answer.why });
  const step = answer.front[answer.chosen]!;
  const target = new Map([
    ...withParties,
    ...answer.placed.map(({ id, team }): [string, number] => [id, team]),
  ]);
  for (const id of step.toSecond) target.set(id, 1);
  for (const id of step.toFirst) target.set(id, 0);
  const moves = taking.flatMap(({ playerId, team }): Move[] => {
    const to = target.get(playerId) ?? team;
    return to === null || to === team ? [] : [{ playerId, from: team, to }];
  });
  return {
    moves: moves.toSorted((a, b) => Number(a.from !== null) - Number(b.from !== null)),
    after: step.difference,
    exact: answer.exact || (answer.withinTolerance && step.swaps <= answer.exactUpTo),
  };
}

/** Teams for members of parties who are on none. */
function placeParties(roster: Roster): Map<string, number> {
  const placed = new Map<string, number>();
  const sizes = sizesOf(roster);
  const sums = sumsOf(roster);
  for (const partyId of partySizes(roster).keys()) {
    const members = roster.players.filter((player) => player.partyId === partyId && !player.bot);
    const unplaced = members.filter((player) => player.team === null && !player.spectator);
    if (unplaced.length === 0) continue;
    const there = [0, 1].map(
      (team) => members.filter((each) => isPlaying(each) && each.team === team).length,
    );
    const smaller = sizes[0]! < sizes[1]! || (sizes[0] === sizes[1] && sums[0]! <= sums[1]!) ? 0 : 1;
    const team = there[0] === there[1] ? smaller : largest(there);
    for (const player of unplaced) {
      placed.set(player.playerId, team);
      sizes[team]! += 1;
      sums[team]! += onSide({ ...player, team }, roster).rating;
    }
  }
  return placed;
}

/** The rule's swaps, when they make the teams more even. */
export function chooseSwaps(
  roster: Roster,
  rule: SwapsRule,
  _: Imbalance,
  { movedBefore, swings }: Guards,
): Choice {
  if (roster.teams !== 2)
    return { outcome: 'nobody-fits', why: [message('balance.two-teams-only', { teams: roster.teams })] };
  const weighed = withWorth(roster, worthByRule(roster, rule));
  const even = evenTeams(weighed, { tolerance: toleranceOf(roster, rule), movedBefore });
  const better = even.after < spread(sumsOf(weighed));
  if (even.moves.length === 0 || !better || swings(even.moves))
    return { outcome: 'nobody-fits', why: [message('balance.no-swap')] };
  const dead = new Set(playing(roster).flatMap(({ playerId, alive }) => (alive === false ? [playerId] : [])));
  const swapped = even.moves.filter(({ from }) => from !== null).map(({ playerId }) => playerId);
  const living = rule.onlyDead ? swapped.filter((playerId) => !dead.has(playerId)) : [];
  if (living.length > 0) return { outcome: 'waits', forOneOf: living };
  return { outcome: 'moves', moves: even.moves, exact: even.exact };
}
