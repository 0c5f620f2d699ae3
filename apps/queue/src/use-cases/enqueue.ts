import {
  IdempotencyKeyReused,
  inTheQueue,
  PartyTooLarge,
  PlayerAlreadyQueued,
  PlayerTwice,
  TicketNotFound,
  type Clock,
  type Ids,
  type RatingReader,
  type Ticket,
  type TicketRecord,
  type TicketPlayer,
  type TicketStore,
} from '@muster/domain';
import { explainCalibration } from '@muster/matchmaking';
import type { Calibrate } from './calibrate.js';
import type { Queues } from './queues.js';

export interface EnqueueRequest {
  readonly queue: string;
  readonly build: string;
  readonly latencyMs: Readonly<Record<string, number>>;
  /** The leader first; the others have consented. */
  readonly playerIds: readonly string[];
  /** Chosen by the client: the same key is the same ticket. */
  readonly idempotencyKey: string | undefined;
}

/**
 * Puts a party or a player into a queue.
 *
 * 1. Check the party against the queue's rules.
 * 2. Read its ratings; without them there is no ticket (never a wrong rating in silence).
 * 3. Put newcomers who are calibrated in at the level that is tried next, instead of their rating.
 * 4. Create the ticket: one atomic step that also holds its players.
 */
export class Enqueue {
  constructor(
    private readonly queues: Queues,
    private readonly ratings: RatingReader,
    private readonly calibrate: Pick<Calibrate, 'probes'>,
    private readonly store: TicketStore,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async run(request: EnqueueRequest): Promise<TicketRecord> {
    const { queue, build, latencyMs, playerIds, idempotencyKey } = request;
    const rules = this.queues.named(queue);
    const [leader = ''] = playerIds;
    const twice = playerIds.find((id, i) => playerIds.indexOf(id) !== i);
    if (twice !== undefined)
      throw new PlayerTwice(`${twice} is in the party twice; name every member once.`, { playerId: twice });
    if (playerIds.length > rules.maxPartySize) {
      throw new PartyTooLarge(
        `The party has ${playerIds.length} players; ${queue} takes at most ${rules.maxPartySize}.`,
        {
          size: playerIds.length,
          largest: rules.maxPartySize,
        },
      );
    }
    const ratings = await this.ratings.ratingsOf(rules.pool, playerIds);
    const probes = await this.calibrate.probes(rules, ratings);
    const players = ratings.map(({ playerId, mu, sigma }): TicketPlayer => {
      const probe = probes.get(playerId);
      return probe
        ? { playerId, mu: probe.level, sigma, calibration: probe.calibration }
        : { playerId, mu, sigma };
    });
    const calibration = explainCalibration(players);
    const reason = calibration === null ? inTheQueue : `You are in the queue; this is ${calibration}.`;
    const now = this.clock.now();
    const ticket: Ticket = {
      ticketId:
        idempotencyKey === undefined
          ? this.ids.make('tkt')
          : this.ids.derive('tkt', JSON.stringify([leader, idempotencyKey])),
      queue,
      build,
      players,
      latencyMs,
      enqueuedAt: now,
      expiresAt: now + rules.ticketTtlSeconds * 1000,
      fingerprint: this.ids.fingerprint({ queue, build, latencyMs, playerIds }),
    };
    const result = await this.store.enqueue(ticket, now, reason);
    switch (result.outcome) {
      case 'busy':
        throw new PlayerAlreadyQueued(
          `${result.playerId} is already queued or playing; leave that ticket first, or finish the match.`,
          // The ticket is named to its own players only.
          playerIds.length === 1 || result.playerId === leader
            ? { playerId: result.playerId, ticketId: result.ticketId }
            : { playerId: result.playerId },
        );
      case 'reused':
        throw new IdempotencyKeyReused(
          'This Idempotency-Key was used for another request; choose a new one.',
        );
      case 'created':
        return {
          ...ticket,
          state: 'waiting',
          seq: 1,
          reason,
          at: now,
          closed: false,
        };
      case 'existing': {
        const record = await this.store.find(ticket.ticketId);
        if (!record) throw new TicketNotFound(`Ticket ${ticket.ticketId} ended before it could be read.`);
        return record;
      }
    }
  }
}
