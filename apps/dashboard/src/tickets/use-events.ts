import type { UseQueryResult } from '@tanstack/react-query';
import { useAsked } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { readEvents } from './read-events.js';
import type { TicketEvent } from './ticket.js';

/** The events of a ticket that happened so far. @param seq the number of the last one, where it is known */
export function useEventsOf(ticketId: string | null, seq?: number): UseQueryResult<readonly TicketEvent[]> {
  const { operator } = useSession();
  return useAsked(
    ['streamTicket', { params: { ticketId }, seq }],
    async (signal) => {
      const params = { ticketId: ticketId ?? '' };
      const until = seq ?? (await operator.calls.readTicket({ params, query: {} }, { signal })).seq;
      const { body } = await operator.calls.streamTicket({ params }, { signal });
      return readEvents(body, until);
    },
    { enabled: ticketId !== null },
  );
}
