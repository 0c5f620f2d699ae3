import type { FormTeamsJob } from '@muster/contracts';
import {
  seedOf,
  Unsolvable,
  type Clock,
  type FormedMatch,
  type MatchPlayer,
  type MatchStore,
  type PlayerRating,
  type SplitRecord,
} from '@muster/domain';
import { split, type SplitAnswer, type SplitSolution } from '@muster/solver';
import { explainSplit } from './explain-split.js';
import { solved } from './solved.js';

/** The teams of a match are made in this time or as even as can be till then: the players wait. */
const deadlineMs = 500;

/** A team whose chance is asked for. */
export interface TeamAsked {
  readonly playerIds: readonly string[];
  /** Sizes of its parties, solos left out. */
  readonly parties: readonly number[];
}

export interface PoolReader {
  /** Ratings in the order asked. @throws RatingUnavailable when they cannot be read in time */
  read(pool: string, playerIds: readonly string[]): Promise<readonly PlayerRating[]>;
  /** The pool's own, calibrated chance of each team. @throws RatingUnavailable when it does not answer in time */
  predict(pool: string, teams: readonly TeamAsked[]): Promise<readonly number[]>;
}

/**
 * Makes teams of a proposal's tickets.
 *
 * 1. Read the ratings again: a match rated since they queued counts.
 * 2. Split exactly, parties together, by the sum of the means; newcomers count at the level that they are tried out at.
 * 3. Ask the pool for the chance of each team.
 * 4. Store the match with its inputs, the best split that was rejected, the predicted chances and why; or refuse it, once and
 *    for all: a player who is in another live match takes their ticket out, the others go back to the queue.
 */
export class FormTeams {
  constructor(
    private readonly pools: PoolReader,
    private readonly store: MatchStore,
    private readonly clock: Clock,
  ) {}

  /** @returns what came of it, in a word for the log */
  async run(job: FormTeamsJob): Promise<'formed' | 'refused' | 'decided before'> {
    const ticketIds = job.tickets.map((ticket) => ticket.ticketId);
    const playerIds = job.tickets.flatMap((ticket) => ticket.playerIds);
    const ratings = await this.pools.read(job.rules.pool, playerIds);
    let match: FormedMatch;
    try {
      match = await this.compose(job, ratings);
    } catch (error) {
      if (!(error instanceof Unsolvable)) throw error;
      // Sent back they would meet again at the next tick, for ever.
      await this.store.refuse(job.matchId, error.message, ticketIds, ticketIds);
      return 'refused';
    }
    const result = await this.store.form(match);
    if (result.outcome === 'formed') return 'formed';
    if (result.outcome === 'decided') return 'decided before';
    const busy = new Set(result.playerIds);
    const culprits = job.tickets.filter((ticket) => ticket.playerIds.some((playerId) => busy.has(playerId)));
    const reason = `The match fell apart: ${[...busy].join(', ')} ${busy.size === 1 ? 'is' : 'are'} still in another match.`;
    await this.store.refuse(
      job.matchId,
      reason,
      culprits.map((ticket) => ticket.ticketId),
      ticketIds,
    );
    return 'refused';
  }

  private async compose(job: FormTeamsJob, read: readonly PlayerRating[]): Promise<FormedMatch> {
    const { matchId, queue, build, regions, rules, tickets, proposedAt } = job;
    const ratings = new Map(read.map((rating) => [rating.playerId, rating]));
    const ratingOf = (playerId: string): PlayerRating => {
      const rating = ratings.get(playerId);
      if (!rating) throw new Error(`no rating of ${playerId} was read`);
      return rating;
    };
    const now = (): number => this.clock.now();
    const answer = solved(
      split(
        {
          players: tickets.flatMap(({ ticketId, playerIds, probes }) =>
            playerIds.map((id) => ({
              id,
              weight: probes?.[id] ?? ratingOf(id).mu,
              ...(playerIds.length > 1 ? { party: ticketId } : {}),
            })),
          ),
          teamSizes: Array.from({ length: rules.teams }, () => rules.teamSize),
        },
        { best: 2, seed: seedOf(matchId), deadline: { now, at: now() + deadlineMs } },
      ),
    );
    const { teams } = bestOf(answer);
    const ticketOf = new Map(
      tickets.flatMap((ticket) => ticket.playerIds.map((playerId) => [playerId, ticket] as const)),
    );
    const prediction = await this.pools.predict(
      rules.pool,
      teams.map((team) => ({
        playerIds: team,
        // A party is in one team whole.
        parties: tickets
          .filter(({ playerIds }) => playerIds.length > 1 && team.some((id) => playerIds.includes(id)))
          .map(({ playerIds }) => playerIds.length),
      })),
    );
    const formedAt = this.clock.now();
    const players = teams.flatMap((team, t) =>
      team.map((playerId): MatchPlayer => {
        const { mu, sigma } = ratingOf(playerId);
        const ticket = ticketOf.get(playerId);
        const waitedMs = ticket ? Math.max(0, Math.round(proposedAt - ticket.enqueuedAt)) : null;
        const level = ticket?.probes?.[playerId] ?? mu;
        return { playerId, team: t, ticketId: ticket?.ticketId ?? null, mu: level, sigma, waitedMs };
      }),
    );
    return {
      matchId,
      queue,
      pool: rules.pool,
      build,
      regions,
      rules,
      split: record(answer),
      why: [...job.why, ...explainSplit(answer, prediction)],
      prediction,
      players,
      placementTimeoutSeconds: rules.placementTimeoutSeconds,
      proposedAt,
      formedAt,
    };
  }
}

function bestOf({ solutions: [best] }: SplitAnswer): SplitSolution {
  if (!best) throw new Error('the solver answered with no split at all');
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
