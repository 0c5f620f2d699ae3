import {
  NoCommonRegion,
  NotAllowed,
  PartyChanged,
  PartyNotFound,
  type Clock,
  type EnqueueResult,
  type JoiningPlayer,
  type Party,
  type TicketAttributes,
} from '@muster/domain';
import { worstLatencies } from '@muster/matchmaking';
import type { PostgresPartyStore } from '../parties/party.store.js';
import { defaultBuild } from '../services/known-builds.js';

/** A player of a new ticket, with what their client sent. */
export type QueuedPlayer = Omit<JoiningPlayer, 'latencyMs'>;

/** A request for a ticket. */
export interface EnqueueRequest {
  readonly queue: string;
  /** The leader's build; `KnownBuilds` supplies it for a client that names none. */
  readonly build: string | undefined;
  /** The caller. */
  readonly leader: JoiningPlayer;
  /** The players whose passes the caller sent: they have consented. None with a `partyId`. */
  readonly members: readonly QueuedPlayer[];
  /** The party that the caller leads: its members are queued. */
  readonly partyId?: string | undefined;
  /** Wished maps; none means any. */
  readonly maps: readonly string[];
  /** Whether the player, who queues alone, uses a booster; absent: no. */
  readonly booster?: boolean | undefined;
  /** A document for the server of the match. */
  readonly attributes?: TicketAttributes | undefined;
  /** Chosen by the client: the same key identifies the same ticket. */
  readonly idempotencyKey: string | undefined;
}

/** The players of a new ticket. */
export interface Group {
  /** The leader first; the others have consented. */
  readonly players: readonly QueuedPlayer[];
  readonly latencyMs: Readonly<Record<string, number>>;
  /** Set when the players are the members of a party. */
  readonly party?: {
    readonly partyId: string;
    /** The client's request. The same key identifies the same ticket, even after members changed. */
    readonly asked: unknown;
    /** Runs a step while the members stay the same. @throws PartyChanged when they changed already */
    unchanged(create: () => Promise<EnqueueResult>): Promise<EnqueueResult>;
  };
}

/** The caller with those whose passes they sent. */
export function groupByPasses({ leader, members }: EnqueueRequest): Group {
  return { players: [leader, ...members], latencyMs: leader.latencyMs };
}

/**
 * The members of the party that the caller leads.
 *
 * @throws PartyNotFound, NotAllowed; NoCommonRegion when there is no region that all have measured
 */
export async function groupOfParty(
  parties: Pick<PostgresPartyStore, 'find' | 'hold'>,
  clock: Clock,
  partyId: string,
  request: EnqueueRequest,
): Promise<Group> {
  const { leader } = request;
  const { playerId } = leader;
  const found = ledBy(await parties.find(partyId, clock.now()), partyId, playerId);
  const players = [leader, ...found.members.filter((member) => member.playerId !== playerId)];
  return {
    players,
    latencyMs: latencyOf(players),
    party: {
      partyId,
      asked: askedOf(partyId, request),
      unchanged: (create) =>
        parties.hold(partyId, clock.now(), (held) => {
          if (!sameMembers(ledBy(held, partyId, playerId), found))
            throw new PartyChanged('Members joined or left the party while it was being queued; try again.');
          return create();
        }),
    },
  };
}

/** What a client asks for a party: the rest of a ticket comes from the members. */
function askedOf(
  partyId: string,
  { queue, build, leader, maps, booster, attributes }: EnqueueRequest,
): object {
  const { latencyMs, canPlay = [], platform, crossPlay } = leader;
  return {
    queue,
    // For a ticket without a build, independent of the build it gets.
    build: build ?? defaultBuild,
    partyId,
    latencyMs,
    canPlay,
    maps,
    platform,
    crossPlay,
    ...(booster ? { booster } : {}),
    ...(attributes ? { attributes } : {}),
  };
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
