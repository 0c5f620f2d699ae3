import { message, shown, Unsolvable, type Message } from '@muster/domain';
import { handicap, type Advantage } from './advantage.js';
import { botsFor, withBots, type BotChange } from './bots.js';
import {
  checkRoster,
  humansOf,
  isPlaying,
  onSide,
  teamParam,
  spread,
  strengthsOf,
  sumsOf,
  type Roster,
  type RosterPlayer,
} from '../roster/roster.js';
import { overfull } from '../moves/check.js';
import type { Policy } from '../policy.js';
import { worthBy } from '../worth.js';

/** Teams at present, or after a change. */
export interface TeamsOutcome {
  /** Humans and bots on each team. */
  readonly sizes: readonly number[];
  /** Each team's sum of ratings on its side; bots that will join or leave count with their mean. */
  readonly sums: readonly number[];
  /** The change in each team's number of bots. */
  readonly botChange: readonly number[];
  /** Largest sum less the smallest. */
  readonly difference: number;
  /** Smallest sum over the largest, 0 to 1; null where a sum is not above 0. */
  readonly ratio: number | null;
}

/** A possible team for a newcomer. */
export interface PlacementOption extends TeamsOutcome {
  readonly team: number;
  /** False where the size of the team forbids it. */
  readonly allowed: boolean;
  /** The strength of each team by the policy, which decides; `sums` are of plain ratings. */
  readonly strengths: readonly number[];
  /** A rule of the policy would move a player away from the team again. */
  readonly overfull: boolean;
  /** Each team's chance to win, where the pool knows what fewer players mean: then these decide. */
  readonly chances?: readonly number[];
}

export interface Placement {
  readonly team: number;
  /** One for each team. */
  readonly options: readonly PlacementOption[];
  /** For the newcomer and their team. */
  readonly why: readonly Message[];
}

type Newcomer = Pick<RosterPlayer, 'playerId' | 'rating' | 'lead' | 'partyId'>;

/** Each team's chance to win with the newcomer on a team; undefined where it is not known. */
type ChancesWith = (team: number) => readonly number[] | undefined;

const strengthsBy = (roster: Roster, policy: Policy): number[] =>
  strengthsOf(roster, worthBy(roster, policy));

/**
 * The team for a player who joins a running match (L3): that of their party; else, of the teams that are not too large,
 * those that no player would have to leave because of them, and of these the one with the better balance, taking bots that
 * leave or join into account. Nobody else is moved. Balance is the ratio of the strengths where bots change the total (as
 * in the source), else their difference; where the chances of all teams are known, their difference. Of equals the team with
 * fewer humans, then the weaker one, then the first.
 *
 * Source: late changes in the team balancing for Unreal Tournament (CUT).
 *
 * @param roster without the newcomer, or with them on no team
 * @param policy says how strong the teams are, and which of them have to give a player
 * @param chances of the teams by the one that the newcomer joins, where the pool knows what fewer players mean
 * @throws Unsolvable when the roster is invalid, has fewer than two teams, or has the newcomer on a team
 */
export function joined(roster: Roster, newcomer: Newcomer, policy: Policy, chances?: ChancesWith): Placement {
  checkTeams(roster);
  if (!Number.isFinite(newcomer.rating))
    throw new Unsolvable(`The rating of ${newcomer.playerId} has to be a finite number.`, {});
  if (roster.players.some((player) => player.playerId === newcomer.playerId && isPlaying(player)))
    throw new Unsolvable(`${newcomer.playerId} is on a team already; name somebody who is on none.`, {});
  const without = leave(roster, newcomer.playerId);
  const options = outlooks(without, newcomer, policy, chances);
  const matesOn = teamsOfParty(without, newcomer);
  const choice = matesOn.length > 0 ? options.filter(({ team }) => matesOn.includes(team)) : options;
  const best = bestOf(allowedOf(choice), {
    humans: humansOf(without),
    strengths: strengthsBy(without, policy),
    byRatio: policy.placement.bots !== null,
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
  // A party that is on two teams already is joined where most of it is.
  return most === 0 ? [] : numbers.flatMap((number, team) => (number === most ? [team] : []));
}

/** Each team with the newcomer on it. */
function outlooks(
  roster: Roster,
  newcomer: Newcomer,
  policy: Policy,
  chancesWith: ChancesWith | undefined,
): PlacementOption[] {
  const { placement: rules } = policy;
  const humans = humansOf(roster);
  const sums = sumsOf(roster);
  return humans.map((_, team) => {
    const then = humans.map((number, t) => number + (t === team ? 1 : 0));
    const joining = { ...newcomer, team };
    const { rating } = onSide(joining, roster);
    const outlook = outlookOf(
      sums.map((sum, t) => sum + (t === team ? rating : 0)),
      then,
      botsFor(roster, then, rules.bots),
    );
    const joinedBy = { ...roster, players: [...roster.players, joining] };
    const whole = rules.bots ? withBots(joinedBy, rules.bots) : joinedBy;
    const smallestSize = Math.min(...outlook.sizes);
    const limit = rules.maxSizeDifference ?? Infinity;
    const chances = chancesWith?.(team);
    return {
      team,
      allowed: outlook.sizes[team]! - smallestSize <= limit,
      ...outlook,
      strengths: strengthsBy(whole, policy),
      overfull: overfull(whole, policy).has(team),
      ...(chances ? { chances } : {}),
    };
  });
}

function outlookOf(sums: readonly number[], humans: readonly number[], bots: BotChange): TeamsOutcome {
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

/** Where every team is too large, the smallest takes them. */
function allowedOf(options: readonly PlacementOption[]): readonly PlacementOption[] {
  const allowed = options.filter((option) => option.allowed);
  if (allowed.length > 0) return allowed;
  const smallestSize = Math.min(...options.map(({ team, sizes }) => sizes[team]!));
  return options.filter(({ team, sizes }) => sizes[team] === smallestSize);
}

/** Sums that differ only by rounding are equal. */
const slack = 1e-9;

function bestOf(
  options: readonly PlacementOption[],
  before: {
    readonly humans: readonly number[];
    readonly strengths: readonly number[];
    readonly byRatio: boolean;
  },
): PlacementOption {
  const free = options.filter((option) => !option.overfull);
  const choice = free.length > 0 ? free : options;
  const byChance = isByChance(choice);
  const byRatio = before.byRatio && choice.every(({ strengths }) => Math.min(...strengths) > 0);
  const uneven = ({ strengths, chances = [] }: PlacementOption): number => {
    if (byChance) return spread(chances);
    return byRatio ? 1 - Math.min(...strengths) / Math.max(...strengths) : spread(strengths);
  };
  const least = Math.min(...choice.map(uneven));
  const scale =
    byChance || byRatio ? 1 : Math.max(1, ...choice.flatMap(({ strengths }) => strengths.map(Math.abs)));
  return choice
    .filter((each) => uneven(each) <= least + slack * scale)
    .toSorted(
      (a, b) =>
        before.humans[a.team]! - before.humans[b.team]! ||
        before.strengths[a.team]! - before.strengths[b.team]! ||
        a.team - b.team,
    )[0]!;
}

const isByChance = (options: readonly PlacementOption[]): boolean =>
  options.every(({ chances }) => chances !== undefined);

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
  const chance = best.chances?.[best.team];
  return [
    message(isShort ? 'arrival.short' : 'arrival.most-even', { to }),
    ...(chance === undefined ? [] : [message('arrival.chance', { to, percent: Math.round(100 * chance) })]),
    ...(best.botChange[best.team]! < 0 ? [message('arrival.bot-leaves')] : []),
  ];
}

/** The effect of a departure. */
export interface Departure {
  /** The team that shrinks; null when the player was on none. */
  readonly team: number | null;
  readonly before: TeamsOutcome;
  readonly after: TeamsOutcome;
  /** The advantage that remains, with the settings of the policy's levers. */
  readonly advantage: Advantage;
  /** For the players who stay. */
  readonly why: readonly Message[];
}

/**
 * The teams after a departure (L4): the same sums as for an arrival, with the opposite sign.
 *
 * @param roster before the departure
 * @throws Unsolvable when the roster is invalid, has fewer than two teams, or does not have the player
 */
export function left(roster: Roster, playerId: string, policy: Policy): Departure {
  checkTeams(roster);
  const leaver = roster.players.find((player) => player.playerId === playerId);
  if (!leaver) throw new Unsolvable(`${playerId} is not on the roster; name somebody who is.`, { playerId });
  const without = leave(roster, playerId);
  const before = unchanged(roster);
  const humans = humansOf(without);
  const after = outlookOf(sumsOf(without), humans, botsFor(without, humans, policy.placement.bots));
  const team = isPlaying(leaver) ? leaver.team : null;
  const why = whyLeft(roster, team, before, after);
  return { team, before, after, advantage: handicap(without, policy), why };
}

function unchanged(roster: Roster): TeamsOutcome {
  const none = botsFor(roster, humansOf(roster), null);
  return outlookOf(sumsOf(roster), humansOf(roster), none);
}

function whyLeft(roster: Roster, team: number | null, before: TeamsOutcome, after: TeamsOutcome): Message[] {
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
