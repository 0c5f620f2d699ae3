import type {
  GetChangesReply,
  GetChangesRequest,
  GetRatingsReply,
  GetRatingsRequest,
  PredictReply,
  PredictRequest,
} from '@muster/contracts';
import { Batcher, RatingUnavailable, UnknownPool, type LedgerRow, type PlayerRating } from '@muster/domain';
import { RpcMany, RpcNotFound, RpcUnavailable, type RpcAnswer, type RpcCaller } from '@muster/platform';
import { setImmediate as nextPoll } from 'node:timers/promises';
import type { PoolReader, TeamRequest } from './form-teams.js';
import type { ChangeReader } from '../history/match-stories.js';

/** For a lost peer: a busy one answers within it. */
const deadlineMs = 5_000;
/** Questions in one call; the others follow in the next one. */
const atOnce = 128;

/**
 * Client of the rating service. Nothing is cached: a split needs current ratings. Questions of one turn, and those that
 * arrive while a call is under way, share a call.
 */
export class RatingClient implements PoolReader, ChangeReader {
  private readonly ratings: Batcher<GetRatingsRequest, RpcAnswer<GetRatingsReply>>;
  private readonly predictions: Batcher<PredictRequest, RpcAnswer<PredictReply>>;

  constructor(private readonly client: RpcCaller) {
    this.ratings = questionsOf({ one: 'getRatings', many: 'getManyRatings' }, this.client);
    this.predictions = questionsOf({ one: 'predict', many: 'predictMany' }, this.client);
  }

  async read(pool: string, playerIds: readonly string[]): Promise<PlayerRating[]> {
    const asked = this.ratings.submit('', { pool, playerIds: [...playerIds] });
    return (await this.ask(() => replyOf(asked))).ratings;
  }

  async predict(pool: string, teams: readonly TeamRequest[]): Promise<number[]> {
    const asked = this.predictions.submit('', {
      pool,
      teams: teams.map(({ playerIds, parties }) => ({ playerIds: [...playerIds], parties: [...parties] })),
    });
    return (await this.ask(() => replyOf(asked))).chances;
  }

  async changes(matchIds: readonly string[]): Promise<LedgerRow[]> {
    const { changes } = await this.ask(() =>
      this.client.call<GetChangesRequest, GetChangesReply>(
        'getChanges',
        { matchIds: [...matchIds] },
        deadlineMs,
      ),
    );
    return changes.map(({ matchId, playerId, muBefore, sigmaBefore, muAfter, sigmaAfter }) => ({
      matchId,
      playerId,
      before: { mu: muBefore, sigma: sigmaBefore },
      after: { mu: muAfter, sigma: sigmaAfter },
    }));
  }

  /** Resolves when the rating service can be reached. */
  reachable(withinMs: number): Promise<void> {
    return this.client.reachable(withinMs);
  }

  close(): void {
    this.client.close();
  }

  private async ask<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof RpcUnavailable)
        throw new RatingUnavailable('The rating service did not answer in time.');
      if (error instanceof RpcNotFound) throw new UnknownPool(error.message);
      throw error;
    }
  }
}

function questionsOf<Question, Reply>(
  methods: { one: string; many: string },
  client: RpcCaller,
): Batcher<Question, RpcAnswer<Reply>> {
  const many = new RpcMany<Question, Reply>(client, methods, deadlineMs);
  return new Batcher(
    atOnce,
    (questions) => many.ask(questions),
    () => false,
    () => nextPoll(),
  );
}

async function replyOf<Reply>(asked: Promise<RpcAnswer<Reply>>): Promise<Reply> {
  const answer = await asked;
  if ('error' in answer) throw answer.error;
  return answer.reply;
}
