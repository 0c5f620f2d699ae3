import { noMeter, readWhy, type FormTeamsJob, type Meter } from '@muster/contracts';
import {
  figuresOf,
  message,
  own,
  RatingUnavailable,
  seedOf,
  Unsolvable,
  type AspectWorth,
  type Clock,
  type FormedMatch,
  type MatchPlayer,
  type PlayerRating,
  type SplitRecord,
} from '@muster/domain';
import type { SplitAnswer, SplitSolution } from '@muster/solver';
import { explainBoosters, explainPlaces, explainSides, explainSplit } from './explain-split.js';
import { fillRoles } from './fill-roles.js';
import { aspectsOf, sidesOf } from '../ratings/match-aspects.js';
import type { RatingClient } from '../ratings/rating.client.js';
import type { PostgresMatchStore } from './match.store.js';
import { splitMatch } from './split-match.js';
import { splitForSides, type PlayerWeights, type SidedSplit } from './split-sides.js';

/** Time limit of the split: the most even teams found by then are taken, since players wait. */
const deadlineMs = 500;

type FormingOutcome = 'formed' | 'refused' | 'decided before';

/** Tickets are matched by levels of four decimals. */
const exact = 1e-3;

const gaveUp = [message('match.failed')];

/**
 * Forms the teams of a proposal.
 *
 * 1. Read the ratings again, to include matches rated since the players queued.
 * 2. Where ratings differ from those by which the tickets were matched, and the queue's rules do not allow the match with them,
 *    refuse the proposal: its tickets return to their places, with the new ratings.
 * 3. Split exactly, parties together, by the sum of the means; newcomers count at the level of their probe, bots at that of
 *    the rules. A player with a booster counts with their rating. Roles are filled in every team, and players who avoid each other as team-mates are separated. Where the pool
 *    rates skill by map, role or side, players count more or less by it: see `weightsOf` and `splitForSides`.
 * 4. Ask the pool for the chance of each team. It knows players only, and the result is rated against its answer: bots are
 *    not counted, and the match says so.
 * 5. Store the match with its inputs, the best rejected split, the predicted chances and the explanation; or refuse the
 *    proposal for good: the ticket of a player who is in another live match ends, the others return to the queue.
 */
export class FormTeams {
  constructor(
    private readonly pools: Pick<RatingClient, 'read' | 'predict'>,
    private readonly store: Pick<PostgresMatchStore, 'form' | 'refuse' | 'settle' | 'isDecided'>,
    private readonly clock: Clock,
    private readonly meter: Meter = noMeter,
  ) {}

  /** Returns the verdict on a proposal. An undecided proposal is refused: its time is over. */
  settle(matchId: string): ReturnType<PostgresMatchStore['settle']> {
    return this.store.settle(matchId, [message('match.not-in-time')]);
  }

  /**
   * @returns the outcome as a word for the log
   * @throws RatingUnavailable while the proposal is undecided
   */
  async run(job: FormTeamsJob): Promise<FormingOutcome> {
    try {
      return await this.form(job);
    } catch (error) {
      // After its lease the tickets wait again, and newer proposals need the ratings.
      if (error instanceof RatingUnavailable && (await this.store.isDecided(job.matchId)))
        return 'decided before';
      throw error;
    }
  }

  /**
   * Settles a proposal that failed at every attempt: its tickets fail, since returned to the queue they would be matched
   * again and block others.
   */
  async giveUp({ matchId, tickets }: FormTeamsJob): Promise<void> {
    const ticketIds = tickets.map((ticket) => ticket.ticketId);
    await this.store.refuse(matchId, gaveUp, ticketIds, ticketIds);
  }

  private async form(job: FormTeamsJob): Promise<FormingOutcome> {
    const ticketIds = job.tickets.map((ticket) => ticket.ticketId);
    const playerIds = job.tickets.flatMap((ticket) => ticket.playerIds);
    const ratings = await this.pools.read(job.rules.pool, playerIds, aspectsOf(job.rules, job.map));
    let match: FormedMatch;
    if (this.isOutdated(job, ratings)) {
      await this.store.refuse(job.matchId, [message('match.ratings-changed')], [], ticketIds, true);
      return 'refused';
    }
    try {
      match = await this.compose(job, ratings);
    } catch (error) {
      if (!(error instanceof Unsolvable)) throw error;
      // Returned to the queue, they would be matched again at the next tick, endlessly.
      const reason = [message('match.unsolvable', { detail: error.message })];
      await this.store.refuse(job.matchId, reason, ticketIds, ticketIds);
      return 'refused';
    }
    const result = await this.store.form(match);
    if (result.outcome === 'formed') {
      this.measure(match);
      return 'formed';
    }
    if (result.outcome === 'decided') return 'decided before';
    const busy = new Set(result.playerIds);
    const culprits = job.tickets.filter((ticket) => ticket.playerIds.some((playerId) => busy.has(playerId)));
    const reason = [message('match.players-busy', { players: [...busy], count: busy.size })];
    await this.store.refuse(
      job.matchId,
      reason,
      culprits.map((ticket) => ticket.ticketId),
      ticketIds,
    );
    return 'refused';
  }

  private async compose(job: FormTeamsJob, read: readonly PlayerRating[]): Promise<FormedMatch> {
    const { matchId, queue, build, regions, openings, rules, map, tickets, proposedAt, trace } = job;
    const roster = rosterOf(job, read);
    const { answer, choice } = this.meter.timed('splitDuration', { queue }, () => this.split(job, roster));
    const { teams, bots } = bestOf(answer);
    const roles = rolesOf(teams, job, roster);
    const prediction = await this.pools.predict(
      rules.pool,
      teams.map((playerIds) => ({
        playerIds,
        parties: partySizesOf(playerIds, tickets),
        ...(roles.size > 0 ? { roles: playerIds.map((id) => roles.get(id) ?? null) } : {}),
      })),
      { map: map ?? undefined, sides: sidesOf(rules) },
    );
    const formedAt = this.clock.now();
    return {
      matchId,
      queue,
      pool: rules.pool,
      build,
      regions,
      openings,
      rules,
      map,
      bots,
      split: record(answer),
      why: [
        ...readWhy(job.whyMessages, job.why),
        ...explainBoosters(tickets),
        ...explainPlaces(teams, roles, bots),
        ...explainSides(sidesOf(rules), choice),
        ...explainSplit(answer, prediction),
      ],
      prediction,
      players: playersOf(teams, roles, proposedAt, roster),
      placementTimeoutSeconds: rules.placementTimeoutSeconds,
      proposedAt,
      formedAt,
      trace,
    };
  }

  private measure(match: FormedMatch): void {
    const { queue, teamGap, favouriteLead } = figuresOf(match);
    this.meter.count('splits', { queue, certificate: match.split.certificate.status });
    this.meter.observe('teamGap', { queue }, teamGap);
    if (favouriteLead !== null) this.meter.observe('favouriteLead', { queue }, favouriteLead);
  }

  /** Whether ratings have changed since the tickets were matched so that the rules do not allow it. */
  private isOutdated(job: FormTeamsJob, read: readonly PlayerRating[]): boolean {
    const { tickets, allowed } = job;
    // The previous release does not say by what it matched.
    if (!allowed || tickets.some(({ levels }) => !levels)) return false;
    const roster = rosterOf(job, read);
    const now = tickets.map((ticket) => ticket.playerIds.map((id) => levelIn(ticket, id, roster)));
    const isAsMatched = tickets.every(({ playerIds, levels }, t) =>
      playerIds.every((id, p) => Math.abs((own(levels, id) ?? NaN) - (now[t]?.[p] ?? NaN)) <= exact),
    );
    if (isAsMatched) return false;
    const skills = now.map((levels) => levels.reduce((sum, level) => sum + level, 0) / levels.length);
    const spread = Math.max(...skills) - Math.min(...skills);
    if (spread > (allowed.spread ?? Infinity) + exact) return true;
    return allowed.gap !== null && this.gapOf(job, roster) > allowed.gap + exact;
  }

  /** The difference of the most even teams; 0 where there are none, which `compose` finds. */
  private gapOf(job: FormTeamsJob, { levelOf }: Roster): number {
    const now = (): number => this.clock.now();
    const deadline = { now, at: now() + deadlineMs };
    try {
      return bestOf(splitMatch(job, levelOf, { best: 1, seed: seedOf(job.matchId), deadline })).difference;
    } catch (error) {
      if (error instanceof Unsolvable) return 0;
      throw error;
    }
  }

  private split(job: FormTeamsJob, roster: Roster): SidedSplit {
    const now = (): number => this.clock.now();
    return splitForSides(job, weightsOf(job, roster), {
      best: 2,
      seed: seedOf(job.matchId),
      deadline: { now, at: now() + deadlineMs },
    });
  }
}

/** What players count: their level, with their skill on the map and in the only role that they can have. */
function weightsOf({ rules }: FormTeamsJob, { levelOf, worthOf, canPlay }: Roster): PlayerWeights {
  const roles = Object.keys(rules.roles ?? {});
  const inRole = (playerId: string, worth: AspectWorth): number => {
    const possible = roles.flatMap((role, r) => (canPlay(playerId).includes(role) ? [r] : []));
    const [only = -1] = possible;
    return possible.length === 1 ? (worth.roles[only] ?? 0) : 0;
  };
  return {
    of: (playerId) => {
      const worth = worthOf(playerId);
      return levelOf(playerId) + (worth ? worth.map + inRole(playerId, worth) : 0);
    },
    onSides: (playerId) => worthOf(playerId)?.sides ?? [],
  };
}

type JobTicket = FormTeamsJob['tickets'][number];

/** The level by which a player is matched: the rating, unless a probe or a booster leads to another. */
function levelIn({ levels, boosters }: JobTicket, playerId: string, { levelOf }: Roster): number {
  const led = own(boosters, playerId) ? own(levels, playerId) : undefined;
  return led ?? levelOf(playerId);
}

/** The facts about a proposal's players. */
interface Roster {
  ticketOf(playerId: string): JobTicket | undefined;
  /** @throws Error when no rating of the player was read */
  ratingOf(playerId: string): PlayerRating;
  /** The level of a player for the split: a newcomer's probe, else the mean of the rating. */
  levelOf(playerId: string): number;
  /** What the player counts beside it; undefined where the pool does not know. */
  worthOf(playerId: string): AspectWorth | undefined;
  /** The roles that the player can have. */
  canPlay(playerId: string): readonly string[];
}

function rosterOf({ tickets }: FormTeamsJob, read: readonly PlayerRating[]): Roster {
  const ratings = new Map(read.map((rating) => [rating.playerId, rating]));
  const byPlayer = new Map(
    tickets.flatMap((ticket) => ticket.playerIds.map((playerId) => [playerId, ticket] as const)),
  );
  const ticketOf = (playerId: string): JobTicket | undefined => byPlayer.get(playerId);
  const ratingOf = (playerId: string): PlayerRating => {
    const rating = ratings.get(playerId);
    if (!rating) throw new Error(`no rating of ${playerId} was read`);
    return rating;
  };
  const levelOf = (playerId: string): number =>
    own(ticketOf(playerId)?.probes, playerId) ?? ratingOf(playerId).mu;
  const worthOf = (playerId: string): AspectWorth | undefined => ratingOf(playerId).worth ?? undefined;
  const canPlay = (playerId: string): readonly string[] => own(ticketOf(playerId)?.canPlay, playerId) ?? [];
  return { ticketOf, ratingOf, levelOf, worthOf, canPlay };
}

/** The roles of the players of all teams, where the rules demand any: those in which the players count most. */
function rolesOf(
  teams: readonly (readonly string[])[],
  { rules: { roles = {} } }: FormTeamsJob,
  { worthOf, canPlay }: Roster,
): Map<string, string> {
  const names = Object.keys(roles);
  const isRated = teams.flat().some((playerId) => worthOf(playerId)?.roles.some((worth) => worth !== 0));
  const worthIn = (playerId: string, role: string): number =>
    worthOf(playerId)?.roles[names.indexOf(role)] ?? 0;
  return new Map(
    teams.flatMap((team) => [
      ...fillRoles(
        team.map((playerId) => ({ playerId, canPlay: canPlay(playerId) })),
        roles,
        isRated ? worthIn : undefined,
      ),
    ]),
  );
}

/** Sizes of the parties of a team. A party is in one team as a whole. */
function partySizesOf(team: readonly string[], tickets: readonly JobTicket[]): number[] {
  return tickets
    .filter(({ playerIds }) => playerIds.length > 1 && team.some((id) => playerIds.includes(id)))
    .map(({ playerIds }) => playerIds.length);
}

function playersOf(
  teams: readonly (readonly string[])[],
  roles: ReadonlyMap<string, string>,
  proposedAt: number,
  { ticketOf, ratingOf, levelOf }: Roster,
): MatchPlayer[] {
  return teams.flatMap((team, t) =>
    team.map((playerId): MatchPlayer => {
      const { sigma } = ratingOf(playerId);
      const ticket = ticketOf(playerId);
      const role = roles.get(playerId);
      const booster = own(ticket?.boosters, playerId);
      return {
        playerId,
        team: t,
        ticketId: ticket?.ticketId ?? null,
        mu: levelOf(playerId),
        sigma,
        waitedMs: ticket ? Math.max(0, Math.round(proposedAt - ticket.enqueuedAt)) : null,
        ...(role === undefined ? {} : { role }),
        ...(booster ? { booster } : {}),
        ...(ticket?.attributes && ticket.playerIds[0] === playerId ? { attributes: ticket.attributes } : {}),
      };
    }),
  );
}

function bestOf({ solutions: [best] }: SplitAnswer): SplitSolution {
  if (!best) throw new Error('the solver returned no split');
  return best;
}

function record(answer: SplitAnswer): SplitRecord {
  const { method, because, certificate, ways, ranked, operations } = answer;
  const { sums, difference } = bestOf(answer);
  const rejected = answer.solutions[1];
  return {
    method,
    because,
    certificate,
    sums,
    difference,
    ways,
    ranked,
    operations,
    rejected: rejected
      ? { teams: rejected.teams, sums: rejected.sums, difference: rejected.difference }
      : null,
  };
}
