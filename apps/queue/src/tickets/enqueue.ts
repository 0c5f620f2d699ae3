import { writeReason } from '@muster/contracts';
import {
  own,
  IdempotencyKeyReused,
  inTheQueue,
  message,
  PartyTooLarge,
  PlayerAlreadyQueued,
  PlayerTwice,
  TicketNotFound,
  TooBusy,
  UnknownMap,
  UnknownRole,
  type ClientFacts,
  type Clock,
  type EnqueueResult,
  type Ids,
  type Message,
  type PlayerClaims,
  type PlayerRating,
  type QueueRules,
  type RatingReader,
  type Ticket,
  type TicketAttributes,
  type TicketRecord,
  type TicketPlayer,
  type TicketStore,
  type UsableBooster,
} from '@muster/domain';
import { calibrationMatches } from '@muster/matchmaking';
import type { Calibrate } from '../calibration/calibrate.js';
import { checkBuilds, checkPlatforms, type PlayerClient } from './check-clients.js';
import { checkEntry } from './check-entry.js';
import type { FollowRules } from '../rules/follow-rules.js';
import { defaultBuild, type KnownBuilds } from './known-builds.js';
import { checkBooster, levelsOf, playerAt, type BoosterReader } from './ticket-level.js';
import type { Penalties } from '../standing/penalties.js';
import type { Queues } from '../rules/queues.js';
import type { Standing } from '../standing/standing.js';

export interface EnqueueRequest {
  readonly queue: string;
  /** The leader's build; `KnownBuilds` supplies it for a client that names none. */
  readonly build: string | undefined;
  readonly latencyMs: Readonly<Record<string, number>>;
  /** The leader first; the others have consented. */
  readonly playerIds: readonly string[];
  /** Roles that players can play, by player; a player without any is missing. */
  readonly canPlay: ReadonlyMap<string, readonly string[]>;
  /** Builds and platforms by player; a player who sent neither is missing. */
  readonly clients: ReadonlyMap<string, ClientFacts>;
  /** Claims of the game's login by player; a player without any is missing. */
  readonly claims: ReadonlyMap<string, PlayerClaims>;
  /** Wished maps; none means any. */
  readonly maps: readonly string[];
  /** Whether the player, who queues alone, uses a booster; absent: no. */
  readonly booster?: boolean | undefined;
  /** A document for the server of the match. */
  readonly attributes?: TicketAttributes | undefined;
  /** Chosen by the client: the same key identifies the same ticket. */
  readonly idempotencyKey: string | undefined;
  /** Set when the players are the members of a party. */
  readonly party?: QueuedParty;
}

/** How a ticket is created from a party. */
export interface QueuedParty {
  readonly partyId: string;
  /**
   * The client's request. The other fields come from the members: the same key identifies the same ticket, even after
   * members changed.
   */
  readonly asked: unknown;
  /** Runs a step while the members stay the same. @throws PartyChanged when they changed already */
  unchanged(create: () => Promise<EnqueueResult>): Promise<EnqueueResult>;
}

/** Tickets that are being created at once. When the stores or the rating service are slower than that, more are refused. */
const mostAtOnce = 500;

/**
 * Puts a party or a player into a queue.
 *
 * 1. Check the party against the queue's rules, the compatibility of its clients, and the cool-downs of its players (see
 *    `Penalties.check`).
 * 2. Read ratings; without them the ticket is refused. Check the queue's entry requirements.
 * 3. Enter newcomers under calibration at the level of their probe instead of their rating, and a player with a booster at the
 *    level of its division. Read avoid-lists and behaviour.
 * 4. Create the ticket in one atomic step that also holds its players.
 */
export class Enqueue {
  private underWay = 0;

  constructor(
    private readonly queues: Queues,
    private readonly ratings: RatingReader,
    private readonly calibrate: Pick<Calibrate, 'probes'>,
    private readonly store: TicketStore,
    private readonly clock: Clock,
    private readonly ids: Ids & { readonly former?: Pick<Ids, 'derive'> },
    private readonly standing: Pick<Standing, 'ofTicket'>,
    private readonly penalties: Pick<Penalties, 'check'>,
    private readonly follow: Pick<FollowRules, 'withNewest'>,
    private readonly builds: Pick<KnownBuilds, 'ofUnnamed'>,
    private readonly boosters: BoosterReader,
    private readonly limit = mostAtOnce,
  ) {}

  /**
   * @throws QueueNotFound and the refusals of the rules, after these were read again
   * @throws TooBusy when many tickets wait for an answer already, so that those are not made to wait longer
   */
  async run(request: EnqueueRequest): Promise<TicketRecord> {
    this.checkLoad();
    this.underWay++;
    try {
      return await this.follow.withNewest(request.queue, () => this.onceOrEarlier(request));
    } finally {
      this.underWay--;
    }
  }

  /** @throws TooBusy as {@link run} */
  checkLoad(): void {
    if (this.underWay >= this.limit)
      throw new TooBusy(`${this.underWay} tickets are being created already. Try again in a moment.`);
  }

  /** A repeat of a request that a replica of the previous release answered finds that ticket, which has another id. */
  private async onceOrEarlier(request: EnqueueRequest): Promise<TicketRecord> {
    try {
      return await this.once(request);
    } catch (error) {
      const { idempotencyKey: key, queue } = request;
      if (!(error instanceof PlayerAlreadyQueued) || key === undefined || !this.ids.former) throw error;
      const earlier = await this.store.find(this.ids.former.derive('tkt', keyText(request)));
      const fingerprint = this.fingerprintOf(request, entryOf(request, this.queues.named(queue)));
      if (earlier?.fingerprint === fingerprint) return earlier;
      throw error;
    }
  }

  private async once(request: EnqueueRequest): Promise<TicketRecord> {
    const { queue, playerIds, idempotencyKey } = request;
    const rules = this.queues.named(queue);
    const rulesVersion = this.queues.versionOf(queue);
    const entry = entryOf(request, rules);
    const ticketId = this.ticketIdOf(request);
    const fingerprint = this.fingerprintOf(request, entry);
    let admitted: Admitted;
    try {
      admitted = await this.admit(request, rules, entry.clients, ticketId);
    } catch (error) {
      // A repeated request gets the same answer, whatever has changed for its players meanwhile.
      const earlier = idempotencyKey === undefined ? null : await this.store.find(ticketId);
      // A restored ticket has no fingerprint.
      if (earlier && (earlier.fingerprint === fingerprint || earlier.fingerprint === '')) return earlier;
      throw error;
    }
    const { build, ratings, booster } = admitted;
    // In the event-loop turn in which ratings arrive, so that many tickets share one read.
    const [probes, standing] = await Promise.all([
      this.calibrate.probes(rules, ratings),
      this.standing.ofTicket(rules, playerIds),
    ]);
    const levelOf = levelsOf(probes, booster);
    const { maps, crossPlay } = entry;
    const now = this.clock.now();
    const ticket: Ticket = {
      ticketId,
      queue,
      build,
      players: ratings.map((rating) => playerAt(rating, levelOf, sentOf(rating.playerId, entry, request))),
      latencyMs: request.latencyMs,
      ...(maps ? { maps } : {}),
      ...standing,
      ...(crossPlay ? {} : { crossPlay }),
      ...(request.attributes ? { attributes: request.attributes } : {}),
      ...(request.party ? { partyId: request.party.partyId } : {}),
      rulesVersion,
      enqueuedAt: now,
      expiresAt: now + rules.ticketTtlSeconds * 1000,
      fingerprint,
    };
    return this.create(ticket, request);
  }

  /** The same for the same leader and key; without a key, a new one. */
  private ticketIdOf(request: EnqueueRequest): string {
    return request.idempotencyKey === undefined
      ? this.ids.make('tkt')
      : this.ids.derive('tkt', keyText(request));
  }

  /** Distinguishes a repeated request from a different one with the same key. */
  private fingerprintOf(
    { queue, build, latencyMs, playerIds, booster, attributes, party }: EnqueueRequest,
    { canPlay, maps, platforms, crossPlay }: Entry,
  ): string {
    return this.ids.fingerprint(
      party?.asked ?? {
        queue,
        // For a ticket without a build, independent of the build it gets.
        build: build ?? defaultBuild,
        latencyMs,
        playerIds,
        canPlay,
        maps,
        platforms,
        // Requests without the field must keep their fingerprint.
        ...(crossPlay ? {} : { crossPlay }),
        ...(booster ? { booster } : {}),
        ...(attributes ? { attributes } : {}),
      },
    );
  }

  /** Reads what decides whether the players may queue. @throws the refusal */
  private async admit(
    { build: named, playerIds, claims, booster: boosted }: EnqueueRequest,
    rules: QueueRules,
    clients: readonly PlayerClient[],
    ticketId: string,
  ): Promise<Admitted> {
    const build = named ?? (await this.builds.ofUnnamed());
    checkBuilds(build, clients);
    const [player] = playerIds;
    const [ratings, holds, booster] = await Promise.all([
      this.ratings.ratingsOf(rules.pool, playerIds),
      this.penalties.check(playerIds),
      boosted && player !== undefined ? this.boosters.usable(rules.pool, player) : undefined,
    ]);
    checkEntry(rules, ratings, claims, this.clock.now());
    // A player who was held before penalties were read was not checked: they may have been released and blamed since.
    for (const { playerId, ticketId: holder } of holds)
      if (holder !== null && holder !== ticketId) throw alreadyQueued(playerIds, playerId, holder);
    return { build, ratings, booster };
  }

  /** Creates the ticket and holds its players. @throws PlayerAlreadyQueued, IdempotencyKeyReused, TicketNotFound */
  private async create(ticket: Ticket, { playerIds, party }: EnqueueRequest): Promise<TicketRecord> {
    const now = ticket.enqueuedAt;
    const reason = reasonOf(ticket);
    const create = (): Promise<EnqueueResult> => this.store.enqueue(ticket, now, reason);
    const result = await (party ? party.unchanged(create) : create());
    switch (result.outcome) {
      case 'busy':
        throw alreadyQueued(playerIds, result.playerId, result.ticketId);
      case 'reused':
        throw new IdempotencyKeyReused(
          'This Idempotency-Key was used for another request; choose a new one.',
        );
      case 'created':
        return { ...ticket, state: 'waiting', seq: 1, ...writeReason(reason), at: now, closed: false };
      case 'existing': {
        const record = await this.store.find(ticket.ticketId);
        if (!record) throw new TicketNotFound(`Ticket ${ticket.ticketId} ended before it could be read.`);
        return record;
      }
    }
  }
}

/** Why a new ticket waits, as its first event says. */
function reasonOf({ players }: Ticket): readonly Message[] {
  const [{ booster } = {}] = players;
  if (booster) return [message('ticket.queued-boosted', { division: booster.division })];
  const matches = calibrationMatches(players);
  return matches.length === 0 ? inTheQueue : [message('ticket.queued-calibrating', { matches })];
}

/** An idempotency key with the leader, who chose it. */
function keyText({ playerIds: [leader = ''], idempotencyKey }: EnqueueRequest): string {
  return JSON.stringify([leader, idempotencyKey]);
}

/** A request in terms of the queue's rules. */
interface Entry {
  readonly clients: readonly PlayerClient[];
  /** Of every player, null for one without a platform; absent where nobody has one. */
  readonly platforms: readonly (string | null)[] | undefined;
  readonly crossPlay: boolean;
  readonly canPlay: Record<string, string[]> | undefined;
  readonly maps: string[] | undefined;
}

/** Players who may queue. */
interface Admitted {
  readonly build: string;
  readonly ratings: readonly PlayerRating[];
  readonly booster: UsableBooster | undefined;
}

/** @throws PlayerTwice, PartyTooLarge, BoosterRefused, UnknownRole, UnknownMap, and what `checkPlatforms` refuses */
function entryOf(request: EnqueueRequest, rules: QueueRules): Entry {
  checkParty(request, rules);
  checkBooster(request.booster, request.playerIds);
  const clients = request.playerIds.map((playerId) => ({ ...request.clients.get(playerId), playerId }));
  checkPlatforms(rules, clients);
  return {
    clients,
    platforms: clients.some(({ platform }) => platform !== undefined)
      ? clients.map(({ platform = null }) => platform)
      : undefined,
    crossPlay: clients.every((client) => client.crossPlay !== false),
    canPlay: rolesIn(rules, request.canPlay),
    maps: mapsIn(rules, request.maps),
  };
}

function checkParty({ queue, playerIds }: EnqueueRequest, { maxPartySize }: QueueRules): void {
  const twice = playerIds.find((id, i) => playerIds.indexOf(id) !== i);
  if (twice !== undefined)
    throw new PlayerTwice(`${twice} is in the party twice; name every member once.`, { playerId: twice });
  if (playerIds.length > maxPartySize)
    throw new PartyTooLarge(
      `The party has ${playerIds.length} players; ${queue} takes at most ${maxPartySize}.`,
      { size: playerIds.length, largest: maxPartySize },
    );
}

/** What the client of a player sent about them. */
function sentOf(
  playerId: string,
  { canPlay }: Entry,
  { clients }: EnqueueRequest,
): Pick<TicketPlayer, 'canPlay' | 'platform'> {
  const roles = own(canPlay, playerId);
  const { platform } = clients.get(playerId) ?? {};
  return { ...(roles ? { canPlay: roles } : {}), ...(platform === undefined ? {} : { platform }) };
}

function alreadyQueued(
  playerIds: readonly string[],
  playerId: string,
  ticketId: string,
): PlayerAlreadyQueued {
  return new PlayerAlreadyQueued(
    playerId === playerIds[0]
      ? 'You are already queued or playing; leave that ticket first, or finish the match.'
      : `${playerId} is already queued or playing; they leave that ticket first, or finish the match.`,
    // Only its own players learn the ticket's id.
    playerIds.length === 1 || playerId === playerIds[0] ? { playerId, ticketId } : { playerId },
  );
}

/** Sorted and without duplicates: the same wishes are the same request. */
const named = (names: readonly string[]): string[] => [...new Set(names)].toSorted();

/** @returns undefined when nobody names any, like a request without the field @throws UnknownRole with the known roles */
function rolesIn(
  { name, roles = {} }: QueueRules,
  canPlay: EnqueueRequest['canPlay'],
): Record<string, string[]> | undefined {
  const known = Object.keys(roles);
  const stated = [...canPlay].filter(([, names]) => names.length > 0);
  for (const [playerId, names] of stated)
    for (const role of names)
      if (!known.includes(role))
        throw new UnknownRole(
          known.length === 0
            ? `${name} demands no roles, so nobody can be counted on for "${role}"; leave canPlay out.`
            : `${name} demands no role "${role}", which ${playerId} can play; there is ${known.join(', ')}.`,
          { role, playerId, roles: known },
        );
  return stated.length === 0
    ? undefined
    : Object.fromEntries(stated.map(([playerId, names]) => [playerId, named(names)]));
}

/** @returns undefined when none is wished for @throws UnknownMap with the known maps */
function mapsIn({ name, maps }: QueueRules, wished: readonly string[]): string[] | undefined {
  const known = maps?.names ?? [];
  const unknownMap = wished.find((map) => !known.includes(map));
  if (unknownMap !== undefined)
    throw new UnknownMap(
      known.length === 0
        ? `${name} names no maps, so none can be wished for; leave maps out.`
        : `${name} does not play "${unknownMap}"; there is ${known.join(', ')}.`,
      { map: unknownMap, maps: known },
    );
  return wished.length === 0 ? undefined : named(wished);
}
