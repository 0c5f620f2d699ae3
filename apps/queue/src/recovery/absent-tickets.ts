import {
  TicketLost,
  TicketNotFound,
  type Clock,
  type KnownId,
  type MusterError,
  type SignedIds,
} from '@muster/domain';
import { recovering } from './recovering.js';
import type { Memory, TicketMemory } from './ticket-memory.js';

/** Tickets are deleted this long after they end, in milliseconds. */
const rememberedMs = 3_600_000;
/** A loss is remembered for this long, in milliseconds: nobody follows a ticket longer. */
const lossMattersMs = 86_400_000;

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

/** Says why a ticket is absent. */
export class AbsentTickets {
  constructor(
    private readonly memory: Pick<TicketMemory, 'look'>,
    private readonly ids: Pick<SignedIds, 'read'>,
    private readonly clock: Clock,
  ) {}

  /** @returns the error for a caller who asks for a ticket that the store does not know */
  async why(ticketId: string): Promise<MusterError> {
    const memory = await this.memory.look(null, 0);
    if (!memory.isOpen) return recovering();
    const fate = fateOf(this.ids.read(ticketId), memory, this.clock.now());
    if (fate !== 'lost') return notFound(ticketId);
    return new TicketLost(
      `Ticket ${ticketId} was lost with a part of the coordinator's memory, and is in no running match. Queue again.`,
      { ticketId },
    );
  }

  /** @throws TicketsRecovering while tickets are being restored: nobody may be told that they have none */
  async checkWhole(): Promise<void> {
    if (!(await this.memory.look(null, 0)).isOpen) throw recovering();
  }
}

/** The error for a ticket that the caller may not know of, whether it exists or not. */
export function notFound(ticketId: string): TicketNotFound {
  return new TicketNotFound(
    `There is no ticket ${ticketId} of yours. Tickets are forgotten an hour after they end.`,
    { ticketId },
  );
}
