import {
  whyOf,
  type AdvantageView,
  type AskHandicap,
  type AskScramble,
  type AskSides,
  type BalanceChecked,
  type BotsPlanned,
  type CheckBalance,
  type PlanBots,
  type PlacePlayer,
  type PlayerPlaced,
  type PolicyChoice,
  type Roster as RosterBody,
  type ScrambleAnswer,
  type SidesChosen,
} from '@muster/contracts';
import { message, Unsolvable, type Clock, type MatchAspects } from '@muster/domain';
import { advantageView, checkView, scrambleState, scrambleStateView } from './balance-views.js';
import { countsOf, type Counts } from './counts.js';
import {
  callVote,
  check,
  freshBalance,
  freshScramble,
  handicap,
  joined,
  leadBy,
  left,
  planned,
  policies,
  scrambleAfter,
  scramblePool,
  seated,
  sidesOf,
  started,
  worthBy,
  type BalanceState,
  type Policy,
  type Roster,
  type RosterPlayer,
} from '@muster/live-balance';
import type { RatingClient } from '../ratings/rating.client.js';
import type { SolverThreads } from '../teams/solver-threads.client.js';

/** Answers servers about their running match: from the roster they send, with missing ratings from the pool. */
export class LiveBalance {
  constructor(
    private readonly pools: Pick<RatingClient, 'read' | 'foresee'>,
    private readonly teams: Pick<SolverThreads, 'cache'>,
    private readonly clock: Clock,
  ) {}

  /** @throws Unsolvable, RatingUnavailable, UnknownPool */
  async check({ roster, policy, state, vote }: CheckBalance): Promise<BalanceChecked> {
    const before: BalanceState = state ?? freshBalance;
    const known = vote ? callVote(before) : before;
    return checkView(check(await this.rated(roster), policyOf(policy), known, this.clock.now()));
  }

  /** @throws Unsolvable, RatingUnavailable, UnknownPool */
  async place({ roster, policy, arrives, leaves }: PlacePlayer): Promise<PlayerPlaced> {
    if (leaves !== undefined) {
      const departure = left(await this.rated(roster), leaves, policyOf(policy));
      return { ...departure, ...whyOf(departure.why), advantage: advantageView(departure.advantage) };
    }
    if (!arrives) throw new Unsolvable('Say who arrives or who leaves.', {});
    const { playerId } = arrives;
    const others = roster.players.filter((player) => player.playerId !== playerId);
    const onTeam = roster.players.find((player) => player.playerId === playerId && player.team !== null);
    if (onTeam)
      throw new Unsolvable(`${playerId} is on a team already; name somebody who is on none.`, { playerId });
    const withNewcomer = { ...roster, players: [...others, { ...arrives, team: null }] };
    // Rated with the others in one read.
    const [rated, chances] = await Promise.all([
      this.rated(withNewcomer),
      this.chancesWith(withNewcomer, playerId, policyOf(policy)),
    ]);
    const { rating = 0, lead } = rated.players.find((player) => player.playerId === playerId) ?? {};
    const placed = joined(
      rated,
      { ...arrives, rating, lead },
      policyOf(policy),
      chances && ((team) => chances[team]),
    );
    return { ...placed, ...whyOf(placed.why) };
  }

  /** @throws Unsolvable, RatingUnavailable, UnknownPool */
  async bots({ roster, policy, start }: PlanBots): Promise<BotsPlanned> {
    const rated = await this.rated(roster);
    if (!start) {
      const plan = planned(rated, policyOf(policy));
      return { ...plan, ...whyOf(plan.why) };
    }
    const found = started(rated, policyOf(policy), start.seed);
    return {
      ...found.plan,
      ...whyOf(found.plan.why),
      start: { ...found.start, ...whyOf(found.start.why) },
    };
  }

  /** @throws Unsolvable, RatingUnavailable, UnknownPool */
  async handicap({ roster, policy }: AskHandicap): Promise<AdvantageView> {
    return advantageView(handicap(await this.rated(roster), policyOf(policy)));
  }

  /** @throws Unsolvable, RatingUnavailable, UnknownPool, TooBusy */
  async scramble({ roster, policy, mode, event, state, waiting }: AskScramble): Promise<ScrambleAnswer> {
    const chosen = policyOf(policy);
    const { scramble: rules, name } = chosen;
    if (!rules)
      throw new Unsolvable(
        `The policy "${name}" never scrambles; give it \`scramble\`, or take "synelo".`,
        {},
      );
    const rated = await this.rated(roster);
    const before = state ? scrambleState(state) : freshScramble;
    const step = event
      ? scrambleAfter(mode, rules, before, event, roster.teams)
      : { state: before, trigger: null };
    const waited = new Map(waiting.map((player) => [player.playerId, player.waited]));
    const everybody = seated(rated);
    const worth = worthBy(everybody, chosen);
    const players = scramblePool(rated, [...waited.keys()]).map((player) => {
      const { playerId, partyId } = player;
      const since = waited.get(playerId);
      return {
        playerId,
        rating: worth(player),
        ...(roster.teams === 2 && player.lead !== undefined ? { lead: leadBy(player, worth) } : {}),
        ...(partyId === undefined ? {} : { partyId }),
        ...(since === undefined ? {} : { waited: since }),
      };
    });
    const { madeAt, splits } = await this.teams.cache({ players, bench: rules.bench, now: this.clock.now() });
    const due = step.trigger ?? step.state.pending;
    return {
      trigger: step.trigger && { ...step.trigger, ...whyOf(step.trigger.why) },
      state: scrambleStateView(step.state),
      cache: { madeAt, splits },
      ...whyOf(due?.why ?? [message('scramble.none')]),
    };
  }

  /** @throws Unsolvable, RatingUnavailable, UnknownPool */
  async sides({ roster, policy, wishes, winners, seed }: AskSides): Promise<SidesChosen> {
    const sides = sidesOf(await this.rated(roster), { wishes, winners, seed, policy: policyOf(policy) });
    return { ...sides, ...whyOf(sides.why) };
  }

  /**
   * The chance of every team, by the team that a newcomer joins, from a pool that knows what fewer players mean. Undefined
   * where it does not, where it does not know all who play (bots, ratings that the server gives), and where a team would be
   * empty.
   */
  private async chancesWith(
    { pool, teams, players, map, sides = [] }: RosterBody,
    newcomer: string,
    { placement }: Policy,
  ): Promise<readonly (readonly number[])[] | undefined> {
    const present = players.filter(({ playerId, spectator }) => !spectator || playerId === newcomer);
    const isKnown = present.every(({ rating, bot }) => rating === undefined && !bot);
    if (pool === undefined || teams < 2 || placement.bots || !isKnown) return undefined;
    const idsWith = (joins: number): string[][] =>
      Array.from({ length: teams }, (_, team) =>
        present.flatMap(({ playerId, team: own }) =>
          (playerId === newcomer ? joins : own) === team ? [playerId] : [],
        ),
      );
    const all = Array.from({ length: teams }, (_, joins) => idsWith(joins));
    if (all.some((ids) => ids.some(({ length }) => length === 0))) return undefined;
    const parties = new Map(present.map(({ playerId, partyId }) => [playerId, partyId]));
    const found = await Promise.all(
      all.map((ids) =>
        this.pools.foresee(
          pool,
          ids.map((playerIds) => ({ playerIds, parties: partySizesOf(playerIds, parties) })),
          { map: map?.name, sides },
        ),
      ),
    );
    return found.every(({ isShortHanded }) => isShortHanded)
      ? found.map(({ chances }) => chances)
      : undefined;
  }

  /**
   * The roster with every rating: missing ones from the pool, by the sides and the map that the roster names; a bot's from
   * the other bots. Rated players are passed on
   * unchanged. (An object built by `...rest` and spread again gets a hidden class of its own in V8, for each player of each
   * request, which lengthens garbage collection.)
   */
  private async rated(roster: RosterBody): Promise<Roster> {
    const { pool, players } = roster;
    if (players.every(isRated)) return { ...roster, players, meanBot: roster.meanBot ?? meanBotOf(players) };
    const unrated = players.flatMap(({ playerId, rating, bot }) =>
      rating === undefined && !bot ? [playerId] : [],
    );
    const read =
      pool === undefined || unrated.length === 0
        ? []
        : await this.pools.read(pool, unrated, aspectsOf(roster));
    const counts = new Map(
      read.map(({ playerId, mu, worth }) => [playerId, countsOf(mu, worth ?? undefined)]),
    );
    const meanBot = roster.meanBot ?? meanBotOf(players);
    const countsFor = ({ playerId, bot }: Player): Counts =>
      bot ? { rating: meanBot } : (counts.get(playerId) ?? { rating: 0 });
    return {
      ...roster,
      meanBot,
      players: players.map((player) => (isRated(player) ? player : { ...player, ...countsFor(player) })),
    };
  }
}

type Player = RosterBody['players'][number];

/** What a roster says about the aspects of its match; undefined where it names none. */
function aspectsOf({ teams, players, sides = [], map }: RosterBody): MatchAspects | undefined {
  if (sides.length === 0 && map?.name === undefined) return undefined;
  const humans = players.filter(({ spectator }) => !spectator).length;
  return { teamSize: Math.max(1, Math.ceil(humans / teams)), map: map?.name, sides, roles: [] };
}

/** Sizes of the parties of a team, single players left out. */
function partySizesOf(
  playerIds: readonly string[],
  partyOf: ReadonlyMap<string, string | undefined>,
): number[] {
  const sizes = new Map<string, number>();
  for (const playerId of playerIds) {
    const party = partyOf.get(playerId);
    if (party !== undefined) sizes.set(party, (sizes.get(party) ?? 0) + 1);
  }
  return [...sizes.values()].filter((size) => size > 1);
}

function isRated(player: Player): player is Player & RosterPlayer {
  return player.rating !== undefined;
}

/** The mean of the bots whose ratings the server gave; 0 where it gave none. */
function meanBotOf(players: readonly Player[]): number {
  const bots = players.flatMap(({ rating, bot }) => (bot && rating !== undefined ? [rating] : []));
  return bots.length === 0 ? 0 : bots.reduce((sum, rating) => sum + rating, 0) / bots.length;
}

/** A built-in policy, or one derived from it. */
export function policyOf(choice: PolicyChoice): Policy {
  const { like = 'none', ...said } = typeof choice === 'string' ? { like: choice } : choice;
  const builtIn = policies[like];
  if (!builtIn) throw new Unsolvable(`There is no policy "${like}".`, { policies: Object.keys(policies) });
  return Object.keys(said).length === 0 ? builtIn : { ...builtIn, name: `like ${like}`, ...said };
}
