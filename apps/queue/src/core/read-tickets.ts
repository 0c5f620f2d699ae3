import {
  TicketLost,
  TicketNotFound,
  type Clock,
  type KnownId,
  type MusterError,
  type TicketRecord,
  type TicketStore,
} from '@muster/domain';
import { recovering } from './recovering.js';
import type { Memory, RedisTicketMemory } from './ticket-memory.store.js';

/** Tickets are deleted this long after they end, in milliseconds. */
const rememberedMs = 3_600_000;
/** A loss is remembered for this long, in milliseconds: nobody follows a ticket longer. */
const lossMattersMs = 86_400_000;

/** The caller: one of the ticket's players, or (null) an operator, who may see all. */
export type Viewer = string | null;

/** Reads tickets for their own players and for operators, and says why one is absent. */
export class ReadTickets {
  constructor(
    private readonly store: Pick<TicketStore, 'find' | 'ticketOf'>,
    private readonly memory: Pick<RedisTicketMemory, 'look'>,
    /** `read` returns null for an id that was not created here. */
    private readonly ids: { read(id: string): KnownId | null },
    private readonly clock: Clock,
  ) {}

  /**
   * @throws TicketNotFound also when the ticket is another player's: its existence is not disclosed; TicketLost,
   *   TicketsRecovering
   */
  async read(ticketId: string, viewer: Viewer): Promise<TicketRecord> {
    const record = await this.store.find(ticketId);
    if (!record) throw await this.absent(ticketId, viewer);
    if (viewer !== null && !record.players.some((player) => player.playerId === viewer))
      throw notFound(ticketId, viewer);
    return record;
  }

  /** The ticket that holds the caller now. @throws TicketNotFound, TicketsRecovering */
  current(playerId: string): Promise<TicketRecord> {
    return this.holding(playerId, playerId, 'You are in no queue and in no match.');
  }

  /** The ticket that holds a player now, for operators. @throws TicketNotFound, TicketsRecovering */
  of(playerId: string): Promise<TicketRecord> {
    return this.holding(playerId, null, `${playerId} is in no queue and in no match.`);
  }

  private async holding(playerId: string, viewer: Viewer, none: string): Promise<TicketRecord> {
    const ticketId = await this.store.ticketOf(playerId);
    if (ticketId !== null) return this.read(ticketId, viewer);
    // While tickets are being restored, nobody may be told that they have none.
    if (!(await this.memory.look(null, 0)).isOpen) throw recovering();
    throw new TicketNotFound(none);
  }

  /** @returns the error for a caller who asks for a ticket that the store does not know */
  private async absent(ticketId: string, viewer: Viewer): Promise<MusterError> {
    const memory = await this.memory.look(null, 0);
    if (!memory.isOpen) return recovering();
    const fate = fateOf(this.ids.read(ticketId), memory, this.clock.now());
    if (fate !== 'lost') return notFound(ticketId, viewer);
    return new TicketLost(
      `Ticket ${ticketId} was lost with a part of the coordinator's memory, and is in no running match. Queue again.`,
      { ticketId },
    );
  }
}

/**
 * What became of a ticket that the store does not know.
 *
 * - An id that was not created here: the ticket never existed.
 * - A ticket younger than the time for which ended tickets are kept: it was lost.
 * - An older one may have ended before: it counts as lost if memory was lost since it was created, not long ago.
 */
export function fateOf(
  id: KnownId | null,
  { lostAt }: Pick<Memory, 'lostAt'>,
  now: number,
): 'unknown' | 'lost' | 'ended' {
  if (!id) return 'unknown';
  if (id.createdAt !== null && now - id.createdAt < rememberedMs) return 'lost';
  const wasLost = now - lostAt < lossMattersMs && (id.createdAt === null || id.createdAt <= lostAt);
  return wasLost ? 'lost' : 'ended';
}

/** The error for a ticket that the caller may not know of, whether it exists or not. */
function notFound(ticketId: string, viewer: Viewer): TicketNotFound {
  return new TicketNotFound(
    `There is no ticket ${ticketId}${viewer === null ? '' : ' of yours'}. Tickets are forgotten an hour after they end.`,
    { ticketId },
  );
}
