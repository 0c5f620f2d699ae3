import { inTheQueue, message, type Clock, type LiveTicket } from '@muster/domain';
import { scriptRunner, type RedisConnection, type ScriptRunner } from '@muster/redis';
import * as scripts from '../generated/scripts.js';
import { encodeReason, writeTicket } from '../tickets/ticket-text.js';
import type { Memory, OpenTicket, RestoreOutcome, Restored, Step, TicketMemory } from './ticket-memory.js';

/** Keys scanned at once, of all kinds. A script blocks the server. */
const keysAtOnce = 400;
/** Ready checks ended at once. */
const checksAtOnce = 20;

const restored = encodeReason([message('ticket.restored')]);
const elsewhere = encodeReason([message('ticket.elsewhere')]);
const askedAgain = encodeReason([message('ready-check.forgotten'), message('ticket.back-in-queue')]);
const queued = encodeReason(inTheQueue);

/** The memory of a realm's tickets in Redis: one script per step. */
export class RedisTicketMemory implements TicketMemory {
  private readonly run: ScriptRunner;

  constructor(
    redis: RedisConnection,
    root: string,
    private readonly clock: Clock,
  ) {
    this.run = scriptRunner(redis, root);
  }

  async look(claimant: string | null, leaseMs: number, database: string | null = null): Promise<Memory> {
    const now = Math.round(this.clock.now());
    const args = { claimant: claimant ?? '', leaseMs, database: database ?? '', now };
    const [state, lostAt, loss = '', open, isOther] = await scripts.memory(this.run, args);
    if (state !== 'whole' && state !== 'claimed' && state !== 'broken')
      throw new Error(`script memory returned the unknown state "${state}"`);
    return { state, isOpen: open === '1', lostAt: Number(lostAt), loss, isOtherDatabase: isOther === '1' };
  }

  async remember(loss: string, step: Step, queues: readonly string[]): Promise<boolean> {
    const [outcome] = await scripts.remembered(this.run, { loss, step, queues });
    return outcome === 'noted';
  }

  async restore(ticket: LiveTicket, which: Restored): Promise<RestoreOutcome> {
    const { ticketId, matchId, assignment, players } = ticket;
    const [outcome] = await scripts.restore(this.run, {
      ticketId,
      which,
      matchId,
      matchState: assignment ? 'placed' : 'formed',
      assignment: assignment ? JSON.stringify(assignment) : '',
      fixed: fixedOf(ticket),
      players: players.filter(({ isHeld }) => isHeld).map(({ playerId }) => playerId),
      queued,
      reason: restored,
      elsewhere,
      now: Math.round(this.clock.now()),
    });
    return outcome as RestoreOutcome;
  }

  async dissolveReadyChecks(): Promise<boolean> {
    const now = Math.round(this.clock.now());
    const ended = await scripts.dissolve(this.run, { limit: checksAtOnce, reason: askedAgain, now });
    return ended.length === checksAtOnce;
  }

  async openTickets(cursor: string): Promise<{ cursor: string; tickets: OpenTicket[] }> {
    const [next = '0', ...flat] = await scripts.openTickets(this.run, { cursor, count: keysAtOnce });
    const tickets: OpenTicket[] = [];
    for (let i = 0; i + 4 < flat.length; i += 5) {
      const [ticketId = '', state, match = '', playerId = '', enqueuedAt] = flat.slice(i, i + 5);
      tickets.push({
        ticketId,
        state: state as OpenTicket['state'],
        matchId: match === '' ? null : match,
        playerId,
        enqueuedAt: Number(enqueuedAt),
      });
    }
    return { cursor: next, tickets };
  }
}

/**
 * What a match knows of its ticket. Its latencies, wishes and request are lost, so it never returns to the queue: it has
 * expired when its match is made again. It has no fingerprint, which fits every request.
 */
function fixedOf({ ticketId, queue, build, enqueuedAt, players, attributes }: LiveTicket): string {
  return writeTicket({
    ticketId,
    queue,
    build,
    players: players.map(({ playerId, mu, sigma }) => ({ playerId, mu, sigma })),
    latencyMs: {},
    enqueuedAt: Math.round(enqueuedAt),
    expiresAt: Math.round(enqueuedAt),
    fingerprint: '',
    ...(attributes ? { attributes } : {}),
  });
}
