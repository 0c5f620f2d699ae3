import { writeReason, type Traces } from '@muster/contracts';
import {
  IdempotencyKeyReused,
  inTheQueue,
  message,
  PartyChanged,
  PlayerAlreadyQueued,
  TicketNotFound,
  type Clock,
  type Ids,
  type Message,
  type PlayerRating,
  type QueueRules,
  type Ticket,
  type TicketRecord,
  type TicketStore,
  type UsableBooster,
} from '@muster/domain';
import { calibrationMatches } from '@muster/matchmaking';
import type { Calibrate } from '../calibration/calibrate.js';
import type { PostgresPartyStore } from '../parties/party.store.js';
import type { Pauses } from '../pauses/pauses.js';
import type { FollowRules } from '../rules/follow-rules.js';
import type { Queues } from '../rules/queues.js';
import { defaultBuild, type KnownBuilds } from '../services/known-builds.js';
import type { RatingClient } from '../services/rating.client.js';
import type { Bans } from '../standing/bans.js';
import type { Penalties } from '../standing/penalties.js';
import type { Standing } from '../standing/standing.js';
import { checkBuilds, checkEntry, checkRequest, type CheckedRequest } from './check-request.js';
import { groupByPasses, groupOfParty, type EnqueueRequest, type Group } from './group.js';
import { levelsOf, playerAt } from '../updates/ticket-level.js';

/** What {@link Enqueue} works with. */
export interface EnqueueDependencies {
  /** Refuses new work while what was taken is slow. */
  readonly admission: { run<T>(work: () => Promise<T>): Promise<T> };
  readonly parties: Pick<PostgresPartyStore, 'find' | 'hold'>;
  readonly queues: Pick<Queues, 'named' | 'versionOf'>;
  readonly follow: Pick<FollowRules, 'withNewest'>;
  readonly builds: Pick<KnownBuilds, 'ofUnnamed'>;
  readonly ratings: Pick<RatingClient, 'ratingsOf' | 'usableBooster'>;
  readonly pauses: Pick<Pauses, 'check'>;
  readonly bans: Pick<Bans, 'check'>;
  readonly penalties: Pick<Penalties, 'check'>;
  readonly calibrate: Pick<Calibrate, 'probes'>;
  readonly standing: Pick<Standing, 'ofTicket'>;
  readonly store: Pick<TicketStore, 'enqueue' | 'find'>;
  readonly clock: Clock;
  /** `former`: as the previous release derives them. */
  readonly ids: Ids & { readonly former: Pick<Ids, 'derive'> };
  readonly traces?: Traces | null;
}

/** Attempts to create the ticket of a party whose members come and go. */
const attempts = 3;

/**
 * Puts a player or a party into a queue.
 *
 * 1. Find the players: the caller with those whose passes they sent, or the members of their party.
 * 2. Check the request against the queue's rules: party size, roles, maps, platforms (`checkRequest`).
 * 3. Read whether the players may queue: a pause of the queue, bans, ratings, without which the ticket is refused, cool-downs (`Penalties.check`), a
 *    booster. Check builds and the queue's entry requirements.
 * 4. Read how they are matched: a newcomer under calibration at the level of their probe instead of their rating, a player
 *    with a booster at the level of its division; avoid-lists and behaviour.
 * 5. Create the ticket in one atomic step that also holds its players. A party stays locked meanwhile.
 *
 * Rules that refuse a request are read again first, and a party whose members changed is queued anew. A repeated request
 * gets the same ticket, whatever has changed for its players meanwhile.
 */
export class Enqueue {
  constructor(private readonly deps: EnqueueDependencies) {}

  /**
   * @throws TooBusy when new tickets take too long already
   * @throws QueueNotFound, the refusals of the rules, of the party and of the rating service
   */
  run(request: EnqueueRequest): Promise<TicketRecord> {
    return this.deps.admission.run(() => this.ofWholeParty(request));
  }

  private async ofWholeParty(request: EnqueueRequest): Promise<TicketRecord> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(request);
      } catch (error) {
        if (!(error instanceof PartyChanged) || attempt >= attempts) throw error;
      }
    }
  }

  private async once(request: EnqueueRequest): Promise<TicketRecord> {
    const { parties, queues, follow, calibrate, standing, clock, traces } = this.deps;
    // 1. Find the players.
    const { partyId } = request;
    const group =
      partyId === undefined ? groupByPasses(request) : await groupOfParty(parties, clock, partyId, request);
    return follow.withNewest(request.queue, async () => {
      // 2. Check the request against the queue's rules.
      const rules = queues.named(request.queue);
      const rulesVersion = queues.versionOf(request.queue);
      const checked = checkRequest(request, group, rules);
      const identity = this.identityOf(request, group, checked);
      try {
        // 3. Read whether the players may queue.
        await this.deps.pauses.check(rules.name);
        const { build, ratings, booster } = await this.admit(request, group, rules, identity.ticketId);
        // 4. Read how they are matched: in the turn in which ratings arrive, so that many tickets share one read.
        const [probes, theirs] = await Promise.all([
          calibrate.probes(rules, ratings),
          standing.ofTicket(rules, idsOf(group)),
        ]);
        const levelOf = levelsOf(probes, booster);
        // 5. Create the ticket and hold its players.
        const now = clock.now();
        const ticket: Ticket = {
          ...identity,
          queue: rules.name,
          build,
          players: ratings.map((rating) => playerAt(rating, levelOf, checked.sentBy(rating.playerId))),
          latencyMs: group.latencyMs,
          ...checked.wishes,
          ...theirs,
          ...(request.attributes ? { attributes: request.attributes } : {}),
          ...(group.party ? { partyId: group.party.partyId } : {}),
          rulesVersion,
          ...(traces ? traceOf(identity, traces) : {}),
          enqueuedAt: now,
          expiresAt: now + rules.ticketTtlSeconds * 1000,
        };
        return await this.create(ticket, group);
      } catch (error) {
        const earlier = await this.earlier(request, identity, error);
        if (earlier) return earlier;
        throw error;
      }
    });
  }

  /** The id is the same for the same leader and key; the fingerprint tells a repeat from another request with the key. */
  private identityOf(request: EnqueueRequest, group: Group, checked: CheckedRequest): Identity {
    const { ids } = this.deps;
    const { queue, build = defaultBuild, idempotencyKey, booster, attributes } = request;
    const { canPlay, platforms, wishes } = checked;
    const ticketId = idempotencyKey === undefined ? ids.make('tkt') : ids.derive('tkt', keyText(request));
    const fingerprint = ids.fingerprint(
      group.party?.asked ?? {
        queue,
        // For a ticket without a build, independent of the build it gets.
        build,
        latencyMs: group.latencyMs,
        playerIds: idsOf(group),
        canPlay,
        platforms,
        ...wishes,
        ...(booster ? { booster } : {}),
        ...(attributes ? { attributes } : {}),
      },
    );
    return { ticketId, fingerprint };
  }

  /** Reads what decides whether the players may queue. @throws the refusal */
  private async admit(
    { build: named, booster: boosted }: EnqueueRequest,
    group: Group,
    rules: QueueRules,
    ticketId: string,
  ): Promise<Admitted> {
    const { builds, ratings: rating, penalties, bans, clock } = this.deps;
    const playerIds = idsOf(group);
    const build = named ?? (await builds.ofUnnamed());
    checkBuilds(build, group.players);
    const [player] = playerIds;
    const [ratings, holds, booster] = await Promise.all([
      rating.ratingsOf(rules.pool, playerIds),
      penalties.check(playerIds),
      boosted && player !== undefined ? rating.usableBooster(rules.pool, player) : undefined,
      bans.check(playerIds),
    ]);
    checkEntry(rules, ratings, group.players, clock.now());
    // A player who was held before penalties were read was not checked: they may have been released and blamed since.
    for (const { playerId, ticketId: holder } of holds)
      if (holder !== null && holder !== ticketId) throw alreadyQueued(playerIds, playerId, holder);
    return { build, ratings, booster };
  }

  /** @throws PlayerAlreadyQueued, IdempotencyKeyReused, TicketNotFound, PartyChanged */
  private async create(ticket: Ticket, { party, ...group }: Group): Promise<TicketRecord> {
    const { store } = this.deps;
    const now = ticket.enqueuedAt;
    const reason = reasonOf(ticket);
    const create = () => store.enqueue(ticket, now, reason);
    const result = await (party ? party.unchanged(create) : create());
    switch (result.outcome) {
      case 'busy':
        throw alreadyQueued(idsOf(group), result.playerId, result.ticketId);
      case 'reused':
        throw new IdempotencyKeyReused(
          'This Idempotency-Key was used for another request; choose a new one.',
        );
      case 'created':
        return { ...ticket, state: 'waiting', seq: 1, ...writeReason(reason), at: now, closed: false };
      case 'existing': {
        const record = await store.find(ticket.ticketId);
        if (!record) throw new TicketNotFound(`Ticket ${ticket.ticketId} ended before it could be read.`);
        return record;
      }
    }
  }

  /** The ticket that an earlier, equal request created; under another id if the previous release answered that. */
  private async earlier(
    request: EnqueueRequest,
    { ticketId, fingerprint }: Identity,
    refusal: unknown,
  ): Promise<TicketRecord | null> {
    const { store, ids } = this.deps;
    if (request.idempotencyKey === undefined) return null;
    const found = await store.find(ticketId);
    // A restored ticket has no fingerprint.
    if (found && (found.fingerprint === fingerprint || found.fingerprint === '')) return found;
    if (!(refusal instanceof PlayerAlreadyQueued)) return null;
    const former = await store.find(ids.former.derive('tkt', keyText(request)));
    return former?.fingerprint === fingerprint ? former : null;
  }
}

type Identity = Pick<Ticket, 'ticketId' | 'fingerprint'>;

/** The trace of the call that creates a ticket. */
function traceOf({ ticketId }: Identity, { active }: Traces): Pick<Ticket, 'trace'> {
  active?.note({ 'muster.ticket.id': ticketId });
  return active ? { trace: active.context } : {};
}

/** Players who may queue. */
interface Admitted {
  readonly build: string;
  readonly ratings: readonly PlayerRating[];
  readonly booster: UsableBooster | undefined;
}

/** An idempotency key with the leader, who chose it. */
function keyText({ leader: { playerId: leader }, idempotencyKey }: EnqueueRequest): string {
  return JSON.stringify([leader, idempotencyKey]);
}

function idsOf({ players }: Pick<Group, 'players'>): string[] {
  return players.map(({ playerId }) => playerId);
}

/** Why a new ticket waits, as its first event says. */
function reasonOf({ players }: Ticket): readonly Message[] {
  const [{ booster } = {}] = players;
  if (booster) return [message('ticket.queued-boosted', { division: booster.division })];
  const matches = calibrationMatches(players);
  return matches.length === 0 ? inTheQueue : [message('ticket.queued-calibrating', { matches })];
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
