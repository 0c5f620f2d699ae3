import { jobQueues } from '@muster/contracts';
import type { AnswerResult, FormedMatch, PlaceResult, ReceivedResult, ServerIdentity } from '@muster/domain';
import { it } from 'vitest';
import { testTime } from '@muster/testing';
import type { CreateMatchLife, MatchLifeStores } from '../match-life-stores.js';
import { aFormedMatch, aResult, aServer } from './fixtures.js';
import { placementTimeouts, type MatchLifeView, type SessionView } from './view.js';

/** A session reserved for a match, with the command to create it. */
export interface Kept {
  readonly matchId: string;
  readonly sessionId: string;
  readonly server: ServerIdentity;
  readonly seq: number;
}

/** Stores with common first steps. */
export class LifeStory {
  constructor(readonly stores: MatchLifeStores) {}

  get allocator(): MatchLifeStores['allocator'] {
    return this.stores.allocator;
  }

  view(): Promise<MatchLifeView> {
    return this.stores.view();
  }

  async server(serverId: string, slots = 1, now = testTime): Promise<ServerIdentity> {
    const { incarnation } = await this.allocator.fleet.register(aServer(serverId, { slots }), now);
    return { serverId, incarnation };
  }

  /** Forms a match of two players, named after it, that needs a server. */
  async wants(matchId: string, over: Partial<FormedMatch> = {}): Promise<void> {
    await this.stores.form(aFormedMatch(matchId, undefined, over));
    await this.allocator.placement.begin(matchId, testTime);
  }

  place(matchId: string, now = testTime): Promise<PlaceResult> {
    return this.allocator.placement.place(matchId, placementTimeouts, now);
  }

  /** @throws Error unless a slot is free */
  async keep(matchId: string, now = testTime): Promise<Kept> {
    const placed = await this.place(matchId, now);
    if (placed.outcome !== 'reserved') throw new Error(`${matchId} was not placed: ${placed.outcome}`);
    const { serverId, sessionId } = placed;
    const order = (await this.view()).commands.findLast((each) => each.sessionId === sessionId);
    return { matchId, sessionId, server: { serverId, incarnation: 1 }, seq: order?.seq ?? 0 };
  }

  /** A new match whose server is being asked. */
  async reserved(matchId: string, over: Partial<FormedMatch> = {}): Promise<Kept> {
    await this.wants(matchId, over);
    return this.keep(matchId);
  }

  create({ server, seq }: Kept, now = testTime): Promise<AnswerResult> {
    return this.allocator.commands.answer(server, seq, { status: 'done' }, now);
  }

  refuse({ server, seq }: Kept, now = testTime): Promise<AnswerResult> {
    return this.allocator.commands.answer(server, seq, { status: 'refused', reason: 'full' }, now);
  }

  /** A new match that is being played. */
  async live(matchId: string, over: Partial<FormedMatch> = {}): Promise<Kept> {
    const kept = await this.reserved(matchId, over);
    await this.create(kept);
    return kept;
  }

  report({ sessionId, server }: Kept, result: ReceivedResult = aResult(), now = testTime + 60_000) {
    return this.allocator.sessions.receive(sessionId, server, result, now);
  }

  callOff({ sessionId, server }: Kept, noShows: readonly string[] = [], remake = false) {
    const calledOff = { reason: 'no map', noShows, leavers: [], remake };
    return this.allocator.sessions.callOff(sessionId, server, calledOff, testTime + 60_000);
  }

  async matchState(matchId: string): Promise<string | undefined> {
    return (await this.view()).matches.get(matchId);
  }

  async sessionOf({ sessionId }: Kept): Promise<SessionView | undefined> {
    return (await this.view()).sessions.find((session) => session.sessionId === sessionId);
  }

  /** The players whom a match holds. */
  async held(): Promise<string[]> {
    return [...(await this.view()).livePlayers.keys()].sort();
  }

  /** The jobs of a match except those about newcomers and new ratings, by the prefix of their ids. */
  async jobs(matchId: string): Promise<string[]> {
    return (await this.view()).jobs.flatMap(({ queue, jobId }) =>
      queue !== jobQueues.matchRated && queue !== jobQueues.ratingsChanged && jobId.endsWith(`-${matchId}`)
        ? [jobId.slice(0, -matchId.length - 1)]
        : [],
    );
  }

  /** The payload of the newest job. */
  async lastJob(queue: string): Promise<unknown> {
    return (await this.view()).jobs.findLast((job) => job.queue === queue)?.payload;
  }
}

export type TellStory = (says: string, test: (story: LifeStory) => Promise<void>) => void;

/** `it`, with separate stores for each test. */
export function storyTest(create: CreateMatchLife): TellStory {
  return (says, test) => it(says, async () => test(new LifeStory(await create())));
}
