import {
  NoCommonRegion,
  NotAllowed,
  PartyChanged,
  PartyNotFound,
  type Clock,
  type JoiningPlayer,
  type Party,
  type PartyStore,
  type TicketRecord,
} from '@muster/domain';
import { worstLatencies } from '@muster/matchmaking';
import type { Enqueue, EnqueueRequest } from '../tickets/enqueue.js';
import { defaultBuild } from '../tickets/known-builds.js';

/** Attempts to create a ticket while members come and go. */
const attempts = 3;

export interface QueuePartyRequest extends Pick<
  EnqueueRequest,
  'queue' | 'build' | 'maps' | 'booster' | 'attributes' | 'idempotencyKey'
> {
  readonly partyId: string;
  /** The caller and what they bring: this is sent when queueing, not when creating the party. */
  readonly leader: JoiningPlayer;
}

/**
 * Queues all members of a party.
 *
 * 1. Read the members and what a ticket needs of them (ratings, avoid-lists), which takes a while.
 * 2. Lock the party. If a member joined, left or changed meanwhile, start again.
 * 3. Create the ticket and release the lock. `Parties` describes why the lock is needed.
 */
export class QueueParty {
  constructor(
    private readonly store: Pick<PartyStore, 'find' | 'hold'>,
    private readonly enqueue: Pick<Enqueue, 'run'>,
    private readonly clock: Clock,
  ) {}

  /** @throws PartyNotFound, NotAllowed, NoCommonRegion, PartyChanged, and the errors of `Enqueue` */
  async run(request: QueuePartyRequest): Promise<TicketRecord> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(request);
      } catch (error) {
        if (!(error instanceof PartyChanged) || attempt >= attempts) throw error;
      }
    }
  }

  private async once({ partyId, leader, ...request }: QueuePartyRequest): Promise<TicketRecord> {
    const { queue, build, maps, booster, attributes } = request;
    const { playerId, latencyMs, canPlay = [], platform, crossPlay } = leader;
    const found = ledBy(await this.store.find(partyId, this.clock.now()), partyId, playerId);
    const players = [leader, ...found.members.filter((member) => member.playerId !== playerId)];
    return this.enqueue.run({
      ...request,
      playerIds: players.map((player) => player.playerId),
      latencyMs: latencyOf(players),
      canPlay: new Map(players.map((player) => [player.playerId, player.canPlay ?? []])),
      clients: new Map(players.map((player) => [player.playerId, player])),
      claims: new Map(players.map((player) => [player.playerId, player.claims])),
      party: {
        partyId,
        // For a ticket without a build, independent of the build it gets.
        asked: {
          queue,
          build: build ?? defaultBuild,
          partyId,
          latencyMs,
          canPlay,
          maps,
          platform,
          crossPlay,
          ...(booster ? { booster } : {}),
          ...(attributes ? { attributes } : {}),
        },
        unchanged: (create) =>
          this.store.hold(partyId, this.clock.now(), (held) => {
            if (!sameMembers(ledBy(held, partyId, playerId), found)) throw changed();
            return create();
          }),
      },
    });
  }
}

function ledBy(party: Party | null, partyId: string, playerId: string): Party {
  if (!party || !party.members.some((member) => member.playerId === playerId))
    throw new PartyNotFound(`There is no party ${partyId} of yours; it may have ended.`, { partyId });
  if (party.leader !== playerId) throw new NotAllowed('Only the leader of a party queues it.');
  return party;
}

function latencyOf(players: readonly JoiningPlayer[]): Readonly<Record<string, number>> {
  const worst = worstLatencies(players.map((player) => player.latencyMs));
  if (worst) return worst;
  const regions = players.map(
    ({ playerId, latencyMs }, i) =>
      `${i === 0 ? 'you' : playerId} measured ${Object.keys(latencyMs).join(', ') || 'none'}`,
  );
  throw new NoCommonRegion(
    `There is no region that all of the party have measured, so nobody knows where to play: ${regions.join('; ')}. Measure one region all of you, or none.`,
  );
}

function sameMembers(one: Party, other: Party): boolean {
  return JSON.stringify(one.members) === JSON.stringify(other.members);
}

function changed(): PartyChanged {
  return new PartyChanged('Members joined or left the party while it was being queued; try again.');
}
