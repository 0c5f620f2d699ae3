import type { RatingsChanged } from '@muster/contracts';
import {
  BoosterRefused,
  grouped,
  UnknownPool,
  type PlayerRating,
  type QueueRules,
  type Ticket,
  type TicketPlayer,
  type TicketStore,
  type UsableBooster,
} from '@muster/domain';
import type { Calibrate } from '../calibration/calibrate.js';
import type { Queues } from '../rules/queues.js';
import type { RatingClient } from '../services/rating.client.js';
import { levelsOf, playerAt } from './ticket-level.js';

/** Players whose tickets are looked up at once, tickets of a page, and how often a ticket that changed is read again. */
const playersAtOnce = 500;
const page = 200;
const attempts = 3;

/**
 * Keeps the levels in open tickets equal to the ratings of their players: a ticket is matched by the levels that it has, and
 * ratings change while it waits (a match elsewhere is rated, an operator sets a rating, a season begins, a rebuild comes into
 * force). A ticket of a match that is being made is changed, too: it may return to the queue. Idempotent.
 */
export class RelevelTickets {
  constructor(
    private readonly queues: Pick<Queues, 'all' | 'named'>,
    private readonly ratings: Pick<RatingClient, 'currentRatingsOf' | 'usableBooster'>,
    private readonly calibrate: Pick<Calibrate, 'probes'>,
    private readonly store: Pick<TicketStore, 'holdsOf' | 'tickets' | 'scanPool' | 'relevel'>,
  ) {}

  /** The tickets of players whose ratings changed. @throws RatingUnavailable */
  async run({ pool, playerIds }: RatingsChanged): Promise<void> {
    if (playerIds === null) return this.all(pool);
    for (let from = 0; from < playerIds.length; from += playersAtOnce) {
      const holds = await this.store.holdsOf(playerIds.slice(from, from + playersAtOnce));
      await this.tickets([...new Set(holds.flatMap(({ ticketId }) => ticketId ?? []))], pool);
    }
  }

  /**
   * Some tickets, those of other pools left out.
   *
   * @param pool absent: of any pool @throws RatingUnavailable
   */
  async tickets(ticketIds: readonly string[], pool?: string): Promise<void> {
    let left = ticketIds;
    for (let attempt = 0; attempt < attempts && left.length > 0; attempt++)
      left = await this.relevel(await this.store.tickets(left), pool);
  }

  /** The waiting tickets of all queues of a pool. */
  private async all(pool: string): Promise<void> {
    for (const { name } of this.queues.all.filter((rules) => rules.pool === pool)) {
      let cursor = '0';
      do {
        const read = await this.store.scanPool(name, cursor, page);
        await this.tickets(await this.relevel(read.tickets, pool), pool);
        cursor = read.cursor;
      } while (cursor !== '0');
    }
  }

  /** @returns the ids of tickets that changed meanwhile */
  private async relevel(tickets: readonly Ticket[], pool: string | undefined): Promise<string[]> {
    const changed: string[] = [];
    for (const [queue, some] of grouped(tickets, (ticket) => ticket.queue)) {
      const rules = this.queues.named(queue);
      if (pool === undefined || rules.pool === pool) changed.push(...(await this.ofQueue(rules, some)));
    }
    return changed;
  }

  private async ofQueue(rules: QueueRules, tickets: readonly Ticket[]): Promise<string[]> {
    const playerIds = [...new Set(tickets.flatMap(({ players }) => players.map(({ playerId }) => playerId)))];
    let read: readonly PlayerRating[];
    try {
      read = await this.ratings.currentRatingsOf(rules.pool, playerIds);
    } catch (error) {
      if (error instanceof UnknownPool) return [];
      throw error;
    }
    const probes = await this.calibrate.probes(rules, read);
    const ratings = new Map(read.map((rating) => [rating.playerId, rating]));
    const outcomes = await Promise.all(
      tickets.map(async (ticket) => {
        const booster = await this.boosterOf(ticket, rules.pool, probes);
        const levelOf = levelsOf(booster ? new Map() : probes, booster);
        const players = ticket.players.map((player) => {
          const { canPlay, platform } = player;
          const sent = { ...(canPlay ? { canPlay } : {}), ...(platform === undefined ? {} : { platform }) };
          const rating = ratings.get(player.playerId);
          return rating ? playerAt(rating, levelOf, sent) : player;
        });
        return levelsText(players) === levelsText(ticket.players)
          ? 'relevelled'
          : this.store.relevel(ticket, players);
      }),
    );
    return tickets.flatMap(({ ticketId }, i) => (outcomes[i] === 'changed' ? [ticketId] : []));
  }

  /** The booster of a ticket that has one, if it can still be used. */
  private async boosterOf(
    { players: [player] }: Ticket,
    pool: string,
    probes: ReadonlyMap<string, unknown>,
  ): Promise<UsableBooster | undefined> {
    if (!player?.booster || probes.has(player.playerId)) return undefined;
    try {
      return await this.ratings.usableBooster(pool, player.playerId);
    } catch (error) {
      if (error instanceof BoosterRefused) return undefined;
      throw error;
    }
  }
}

function levelsText(players: readonly TicketPlayer[]): string {
  return JSON.stringify(
    players.map(({ mu, sigma, calibration, booster }) => [mu, sigma, calibration ?? null, booster ?? null]),
  );
}
