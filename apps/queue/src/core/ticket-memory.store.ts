import { inTheQueue, message, type Clock, type LiveTicket, type TicketState } from '@muster/domain';
import { scriptRunner, type RedisConnection, type ScriptRunner } from '@muster/redis';
import * as scripts from '../generated/scripts.js';
import { encodeReason, rowsOf, writeTicket } from './ticket-text.js';

/** Keys scanned at once, of all kinds. A script blocks the server. */
const keysAtOnce = 400;
/** Ready checks ended at once. */
const checksAtOnce = 20;

const restored = encodeReason([message('ticket.restored')]);
const elsewhere = encodeReason([message('ticket.elsewhere')]);
const askedAgain = encodeReason([message('ready-check.forgotten'), message('ticket.back-in-queue')]);
const queued = encodeReason(inTheQueue);

/** What the store of tickets knows of its own memory. */
export interface Memory {
  /**
   * `whole`: it agrees with the matches. `claimed`: it may not, and the caller restores it. `broken`: it may not, and
   * somebody else restores it.
   */
  readonly state: 'whole' | 'claimed' | 'broken';
  /** Whether it knows the tickets of all running matches, so that tickets may be created. */
  readonly isOpen: boolean;
  /** When it was last found that memory may be lost, milliseconds since the epoch; 0: never. */
  readonly lostAt: number;
  /** Identifies that loss. */
  readonly loss: string;
  /** Whether this look found that the database is another one than before, which is a loss as well. */
  readonly isOtherDatabase?: boolean;
}

/** `run`: the tickets of running matches are restored. `matching`: those of matches that are over are released. */
export type Step = 'run' | 'matching';

/** Which tickets of running matches are restored: those that are missing, or also those that are behind their match. */
export type Restored = 'missing' | 'all';

/** What became of a ticket that was restored. `other`: it is in another match there, `closed`: it has ended there. */
export type RestoreOutcome = 'created' | 'advanced' | 'there' | 'closed' | 'other';

/** A ticket that waits or is in a match. */
export interface OpenTicket {
  readonly ticketId: string;
  readonly state: Extract<TicketState, 'waiting' | 'placing' | 'assigned'>;
  readonly matchId: string | null;
  /** Its first player. */
  readonly playerId: string;
  readonly enqueuedAt: number;
}

/** What Redis knows of its memory of a realm's tickets. Each method is one script and safe to repeat. */
export class RedisTicketMemory {
  private readonly run: ScriptRunner;

  constructor(
    redis: RedisConnection,
    root: string,
    private readonly clock: Clock,
  ) {
    this.run = scriptRunner(redis, root);
  }

  /**
   * @param claimant would restore tickets; null: it only asks, and nothing is written
   * @param leaseMs until another one may
   * @param database the identity of the database that has the matches; null: not known
   */
  async look(claimant: string | null, leaseMs: number, database: string | null = null): Promise<Memory> {
    const now = Math.round(this.clock.now());
    const args = { claimant: claimant ?? '', leaseMs, database: database ?? '', now };
    const [state, lostAt, loss = '', open, isOther] = await scripts.memory(this.run, args);
    if (state !== 'whole' && state !== 'claimed' && state !== 'broken')
      throw new Error(`script memory returned the unknown state "${state}"`);
    return { state, isOpen: open === '1', lostAt: Number(lostAt), loss, isOtherDatabase: isOther === '1' };
  }

  /**
   * A step is done: tickets may be created, or matched.
   *
   * @returns false when memory was lost again meanwhile
   */
  async remember(loss: string, step: Step, queues: readonly string[]): Promise<boolean> {
    const [outcome] = await scripts.remembered(this.run, { loss, step, queues });
    return outcome === 'noted';
  }

  /** Brings a ticket to where its match is, and holds its players. */
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
    return outcome;
  }

  /**
   * Ends some open ready checks without blame: acceptances may be lost.
   *
   * @returns whether there may be more
   */
  async dissolveReadyChecks(): Promise<boolean> {
    const now = Math.round(this.clock.now());
    const ended = await scripts.dissolve(this.run, { limit: checksAtOnce, reason: askedAgain, now });
    return ended.length === checksAtOnce;
  }

  /**
   * Some open tickets. One that is open from the first call to the last is in at least one answer; some may come twice.
   *
   * @param cursor '0' at first, then that of the last answer, until it is '0' again
   */
  async openTickets(cursor: string): Promise<{ cursor: string; tickets: OpenTicket[] }> {
    const [next = '0', ...flat] = await scripts.openTickets(this.run, { cursor, count: keysAtOnce });
    const rows = rowsOf(flat, 'ticketId', 'state', 'matchId', 'playerId', 'enqueuedAt');
    return {
      cursor: next,
      tickets: rows.map(({ state, matchId, enqueuedAt, ...row }) => ({
        ...row,
        state: state as OpenTicket['state'],
        matchId: matchId === '' ? null : matchId,
        enqueuedAt: Number(enqueuedAt),
      })),
    };
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
