import { message, shown, Unsolvable, type Message } from '@muster/domain';
import { botsFor, withBots, type BotChange, type BotRules } from './bots.js';
import {
  byTeam,
  checkRoster,
  humansOf,
  isPlaying,
  teamParam,
  spread,
  sumsOf,
  type Roster,
  type RosterPlayer,
} from './roster.js';
import { rated, readingOf } from './worth.js';

/** How newcomers are placed and leavers are made up for. */
export interface PlacementRules {
  /** null: bots do not come or go with players. */
  readonly bots: BotRules | null;
  /**
   * A newcomer joins no team that would then be larger than the smallest by more than this, bots counted; null: the balance
   * of ratings alone decides.
   */
  readonly maxSizeDifference: number | null;
}

/** Teams as they are, or would be. */
export interface Outlook {
  /** Humans and bots on each team. */
  readonly sizes: readonly number[];
  /** Each team's sum of ratings; bots that are to come or to go at their mean. */
  readonly sums: readonly number[];
  /** By how many bots each team changes. */
  readonly botChange: readonly number[];
  /** Largest sum less the smallest. */
  readonly difference: number;
  /** Smallest sum over the largest, 0 to 1; null where a sum is not above 0. */
  readonly ratio: number | null;
}

/** Where a newcomer could go. */
export interface PlacementOption extends Outlook {
  readonly team: number;
  /** False where the size of the team forbids it. */
  readonly allowed: boolean;
  /** What each team would count for by the policy, by which the choice is made; `sums` are of ratings as they are. */
  readonly strengths: readonly number[];
  /** A rule of the policy would have somebody leave the team again. */
  readonly overfull: boolean;
}

export interface Placement {
  readonly team: number;
  /** One for each team. */
  readonly options: readonly PlacementOption[];
  /** For the newcomer and their team. */
  readonly why: readonly Message[];
}

export interface Newcomer {
  readonly playerId: string;
  readonly rating: number;
  readonly partyId?: string;
}

/** What a policy thinks of a roster, for whoever places newcomers. */
export interface Judge {
  /** What each team counts for. */
  strengths(roster: Roster): readonly number[];
  /** Teams of which it would have somebody leave. */
  takesFrom(roster: Roster): ReadonlySet<number>;
}

/** Ratings alone, and nobody is taken from anywhere. */
function byRatings(rules: PlacementRules): Judge {
  return {
    strengths: (roster) => byTeam(roster, rated(roster, readingOf(rules))),
    takesFrom: () => new Set(),
  };
}

/**
 * The team for somebody who joins a running match (L3): where their party is; else, of those that are not too large already,
 * one from which nobody would be taken because of them, and of these the one that leaves the better balance, counting that a
 * bot may go for them or come with them. Nobody else is moved. Balance is the ratio of what teams count for where bots change
 * what there is in all (as in the source), else their difference; of equals the team with fewer humans, then the weaker one,
 * then the first.
 *
 * Source: late changes in the team balancing for Unreal Tournament (CUT).
 *
 * @param judge what teams count for, and which ones would have to give somebody away; by ratings alone when left out
 * @throws Unsolvable when the roster makes no sense, has fewer than two teams, or has the newcomer on a team
 */
export function placeArrival(
  roster: Roster,
  newcomer: Newcomer,
  rules: PlacementRules,
  judge: Judge = byRatings(rules),
): Placement {
  checkTeams(roster);
  if (!Number.isFinite(newcomer.rating))
    throw new Unsolvable(`The rating of ${newcomer.playerId} has to be a finite number.`, {});
  if (roster.players.some((player) => player.playerId === newcomer.playerId && isPlaying(player)))
    throw new Unsolvable(`${newcomer.playerId} is on a team already; name somebody who is on none.`, {});
  const without = leave(roster, newcomer.playerId);
  const options = outlooks(without, newcomer, rules, judge);
  const matesOn = teamsOfParty(without, newcomer);
  const choice = matesOn.length > 0 ? options.filter(({ team }) => matesOn.includes(team)) : options;
  const best = bestOf(allowedOf(choice), {
    humans: humansOf(without),
    strengths: judge.strengths(without),
    byRatio: rules.bots !== null,
  });
  return { team: best.team, options, why: whyPlaced(roster, best, options, matesOn.length > 0) };
}

function checkTeams(roster: Roster): void {
  checkRoster(roster);
  if (roster.teams < 2)
    throw new Unsolvable('A game without teams places nobody; give a roster of two teams or more.', {});
}

function leave(roster: Roster, playerId: string): Roster {
  return { ...roster, players: roster.players.filter((player) => player.playerId !== playerId) };
}

function teamsOfParty(roster: Roster, { partyId }: Newcomer): number[] {
  if (partyId === undefined) return [];
  const mates = roster.players.filter(isPlaying).filter((player) => player.partyId === partyId);
  const numbers = Array.from(
    { length: roster.teams },
    (_, team) => mates.filter((mate) => mate.team === team).length,
  );
  const most = Math.max(...numbers);
  // A party that stands on two teams already is joined where most of it is.
  return most === 0 ? [] : numbers.flatMap((number, team) => (number === most ? [team] : []));
}

/** What each team would be with the newcomer. */
function outlooks(
  roster: Roster,
  newcomer: Newcomer,
  rules: PlacementRules,
  judge: Judge,
): PlacementOption[] {
  const humans = humansOf(roster);
  const sums = sumsOf(roster);
  return humans.map((_, team) => {
    const then = humans.map((number, t) => number + (t === team ? 1 : 0));
    const outlook = outlookOf(
      sums.map((sum, t) => sum + (t === team ? newcomer.rating : 0)),
      then,
      botsFor(roster, then, rules.bots),
    );
    const joinedBy = { ...roster, players: [...roster.players, { ...newcomer, team }] };
    const whole = rules.bots ? withBots(joinedBy, rules.bots) : joinedBy;
    const smallestSize = Math.min(...outlook.sizes);
    const limit = rules.maxSizeDifference ?? Infinity;
    return {
      team,
      allowed: outlook.sizes[team]! - smallestSize <= limit,
      ...outlook,
      strengths: judge.strengths(whole),
      overfull: judge.takesFrom(whole).has(team),
    };
  });
}

function outlookOf(sums: readonly number[], humans: readonly number[], bots: BotChange): Outlook {
  const then = sums.map((sum, team) => sum + bots.gain[team]!);
  const least = Math.min(...then);
  return {
    sizes: humans.map((number, team) => number + bots.bots[team]!),
    sums: then,
    botChange: bots.change,
    difference: spread(then),
    ratio: least > 0 ? least / Math.max(...then) : null,
  };
}

/** Where every team is too large the smallest takes them. */
function allowedOf(options: readonly PlacementOption[]): readonly PlacementOption[] {
  const allowed = options.filter((option) => option.allowed);
  if (allowed.length > 0) return allowed;
  const smallestSize = Math.min(...options.map(({ team, sizes }) => sizes[team]!));
  return options.filter(({ team, sizes }) => sizes[team] === smallestSize);
}

/** Sums that rounding alone keeps apart are equal. */
const slack = 1e-9;

function bestOf(
  options: readonly PlacementOption[],
  before: {
    readonly humans: readonly number[];
    readonly strengths: readonly number[];
    readonly byRatio: boolean;
  },
): PlacementOption {
  const free = options.filter(({ overfull }) => !overfull);
  const choice = free.length > 0 ? free : options;
  const byRatio = before.byRatio && choice.every(({ strengths }) => Math.min(...strengths) > 0);
  const uneven = ({ strengths }: PlacementOption): number =>
    byRatio ? 1 - Math.min(...strengths) / Math.max(...strengths) : spread(strengths);
  const least = Math.min(...choice.map(uneven));
  const scale = byRatio ? 1 : Math.max(1, ...choice.flatMap(({ strengths }) => strengths.map(Math.abs)));
  return choice
    .filter((each) => uneven(each) <= least + slack * scale)
    .toSorted(
      (a, b) =>
        before.humans[a.team]! - before.humans[b.team]! ||
        before.strengths[a.team]! - before.strengths[b.team]! ||
        a.team - b.team,
    )[0]!;
}

function whyPlaced(
  roster: Roster,
  best: PlacementOption,
  options: readonly PlacementOption[],
  withParty: boolean,
): Message[] {
  const to = teamParam(roster, best.team);
  if (withParty) return [message('arrival.party', { to })];
  if (!best.allowed) return [message('arrival.smallest', { to })];
  const others = options.filter(({ team }) => team !== best.team);
  const isShort = others.every(({ allowed }) => !allowed);
  return [
    message(isShort ? 'arrival.short' : 'arrival.most-even', { to }),
    ...(best.botChange[best.team]! < 0 ? [message('arrival.bot-leaves')] : []),
  ];
}

/** What a departure does. */
export interface Departure {
  /** The team that is one fewer; null when whoever left was on none. */
  readonly team: number | null;
  readonly before: Outlook;
  readonly after: Outlook;
  /** For the players who stay. */
  readonly why: readonly Message[];
}

/**
 * What becomes of the teams when somebody leaves (L4): the same sums as for an arrival, the other way.
 *
 * @throws Unsolvable when the roster makes no sense, has fewer than two teams, or has no such player
 */
export function afterDeparture(roster: Roster, playerId: string, rules: PlacementRules): Departure {
  checkTeams(roster);
  const leaver = roster.players.find((player) => player.playerId === playerId);
  if (!leaver) throw new Unsolvable(`${playerId} is not on the roster; name somebody who is.`, { playerId });
  const without = leave(roster, playerId);
  const before = asItIs(roster);
  const humans = humansOf(without);
  const after = outlookOf(sumsOf(without), humans, botsFor(without, humans, rules.bots));
  const team = isPlaying(leaver) ? leaver.team : null;
  return { team, before, after, why: whyLeft(roster, team, before, after) };
}

function asItIs(roster: Roster): Outlook {
  const none = botsFor(roster, humansOf(roster), null);
  return outlookOf(sumsOf(roster), humansOf(roster), none);
}

function whyLeft(roster: Roster, team: number | null, before: Outlook, after: Outlook): Message[] {
  if (team === null) return [message('departure.no-team')];
  const bots = after.botChange[team]!;
  const fewerBots = after.botChange.some((number) => number < 0);
  const change = after.difference - before.difference;
  return [
    message('departure.one-fewer', { from: teamParam(roster, team) }),
    ...(bots > 0
      ? [message('departure.bots-come', { bots })]
      : fewerBots
        ? [message('departure.bots-go')]
        : []),
    message('departure.evenness', {
      trend: change < 0 ? 'more' : change > 0 ? 'less' : 'same',
      difference: shown(after.difference),
    }),
  ];
}

/**
 * The odd player (L11): where teams of equal size get one more, the team on which |ΣA − ΣB| is least. Somebody on a team is
 * taken off it first.
 *
 * Source: SynElo, joins in the middle of a round.
 *
 * @throws Unsolvable when the roster makes no sense, or has no such player
 */
export function placeOdd(roster: Roster, playerId: string): Placement {
  checkTeams(roster);
  const odd: RosterPlayer | undefined = roster.players.find((player) => player.playerId === playerId);
  if (!odd) throw new Unsolvable(`${playerId} is not on the roster; name somebody who is.`, { playerId });
  return placeArrival(leave(roster, playerId), odd, { bots: null, maxSizeDifference: 1 });
}
