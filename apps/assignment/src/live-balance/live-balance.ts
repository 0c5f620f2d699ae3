import type {
  AdvantageView,
  AskHandicap,
  AskScramble,
  AskSides,
  BalanceChecked,
  BotsPlanned,
  CheckBalance,
  PlanBots,
  PlacePlayer,
  PlayerPlaced,
  PolicyChoice,
  Roster as RosterBody,
  ScrambleAnswer,
  SidesChosen,
} from '@muster/contracts';
import { Unsolvable, type Clock } from '@muster/domain';
import {
  callVote,
  check,
  freshBalance,
  freshScramble,
  handicap,
  joined,
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
  type ScrambleState,
} from '@muster/live-balance';
import type { PoolReader } from '../forming/form-teams.js';
import type { TeamsSolver } from '../teams/solve-teams.js';

/** Answers servers about their running match: from the roster they send, and ratings where they leave them out. */
export class LiveBalance {
  constructor(
    private readonly pools: Pick<PoolReader, 'read'>,
    private readonly teams: Pick<TeamsSolver, 'cache'>,
    private readonly clock: Clock,
  ) {}

  /** @throws Unsolvable, RatingUnavailable, UnknownPool */
  async check({ roster, policy, state, vote }: CheckBalance): Promise<BalanceChecked> {
    const before: BalanceState = state ?? freshBalance;
    const known = vote ? callVote(before) : before;
    return check(await this.rated(roster), policyOf(policy), known, this.clock.now());
  }

  /** @throws Unsolvable, RatingUnavailable, UnknownPool */
  async place({ roster, policy, arrives, leaves }: PlacePlayer): Promise<PlayerPlaced> {
    if (leaves !== undefined) return left(await this.rated(roster), leaves, policyOf(policy));
    if (!arrives) throw new Unsolvable('Say who arrives or who leaves.', {});
    const { playerId } = arrives;
    const others = roster.players.filter((player) => player.playerId !== playerId);
    const onTeam = roster.players.find((player) => player.playerId === playerId && player.team !== null);
    if (onTeam)
      throw new Unsolvable(`${playerId} is on a team already; name somebody who is on none.`, { playerId });
    // Rated with the others: one question for all.
    const rated = await this.rated({ ...roster, players: [...others, { ...arrives, team: null }] });
    const rating = rated.players.find((player) => player.playerId === playerId)?.rating ?? 0;
    return joined(rated, { ...arrives, rating }, policyOf(policy));
  }

  /** @throws Unsolvable, RatingUnavailable, UnknownPool */
  async bots({ roster, policy, start }: PlanBots): Promise<BotsPlanned> {
    const rated = await this.rated(roster);
    if (!start) return planned(rated, policyOf(policy));
    const found = started(rated, policyOf(policy), start.seed);
    if (found.outcome === 'refused') throw new Unsolvable(found.why, {});
    const { outcome: _, ...teams } = found.start;
    return { ...found.plan, start: teams };
  }

  /** @throws Unsolvable, RatingUnavailable, UnknownPool */
  async handicap({ roster, policy }: AskHandicap): Promise<AdvantageView> {
    return handicap(await this.rated(roster), policyOf(policy));
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
    const before: ScrambleState = state ?? freshScramble;
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
        ...(partyId === undefined ? {} : { partyId }),
        ...(since === undefined ? {} : { waited: since }),
      };
    });
    const { madeAt, splits } = await this.teams.cache({ players, bench: rules.bench, now: this.clock.now() });
    const due = step.trigger ?? step.state.pending;
    return { ...step, cache: { madeAt, splits }, why: due?.why ?? 'The teams stay as they are.' };
  }

  /** @throws Unsolvable, RatingUnavailable, UnknownPool */
  async sides({ roster, policy, wishes, winners, seed }: AskSides): Promise<SidesChosen> {
    return sidesOf(await this.rated(roster), { wishes, winners, seed, policy: policyOf(policy) });
  }

  /**
   * The roster with every rating: those left out from the pool, a bot's from the other bots. Whoever is rated is passed on
   * as they are. (What was gathered by `...rest` and spread again gets a hidden class of its own in V8, each player of each
   * request, and pauses for cleaning up grow with it.)
   */
  private async rated(roster: RosterBody): Promise<Roster> {
    const { pool, players } = roster;
    if (players.every(isRated)) return { ...roster, players, meanBot: roster.meanBot ?? meanBotOf(players) };
    const strangers = players.flatMap(({ playerId, rating, bot }) =>
      rating === undefined && !bot ? [playerId] : [],
    );
    const read = pool === undefined || strangers.length === 0 ? [] : await this.pools.read(pool, strangers);
    const ratings = new Map(read.map(({ playerId, mu }) => [playerId, mu]));
    const meanBot = roster.meanBot ?? meanBotOf(players);
    const ratingOf = ({ playerId, bot }: Player): number => (bot ? meanBot : (ratings.get(playerId) ?? 0));
    return {
      ...roster,
      meanBot,
      players: players.map((player) => (isRated(player) ? player : { ...player, rating: ratingOf(player) })),
    };
  }
}

type Player = RosterBody['players'][number];

function isRated(player: Player): player is Player & RosterPlayer {
  return player.rating !== undefined;
}

/** The mean of the bots whose ratings the server gave; 0 where it gave none. */
function meanBotOf(players: readonly Player[]): number {
  const bots = players.flatMap(({ rating, bot }) => (bot && rating !== undefined ? [rating] : []));
  return bots.length === 0 ? 0 : bots.reduce((sum, rating) => sum + rating, 0) / bots.length;
}

/** A policy of ours, or one that is like it but for what was said. */
export function policyOf(choice: PolicyChoice): Policy {
  const { like = 'none', ...said } = typeof choice === 'string' ? { like: choice } : choice;
  const ours = policies[like];
  if (!ours) throw new Unsolvable(`There is no policy "${like}".`, { policies: Object.keys(policies) });
  return Object.keys(said).length === 0 ? ours : { ...ours, name: `like ${like}`, ...said };
}
