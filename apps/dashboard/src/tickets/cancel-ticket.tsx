import type { ReactElement } from 'react';
import { useSession } from '../session/session.js';
import { Action, reason } from '../ui/action.js';
import { textIn } from '../ui/values/values.js';
import { isCancellable, type Ticket } from './ticket.js';

/** Ends a ticket that waits or is asked to accept; nothing for others. */
export function CancelTicket({
  ticket,
}: {
  readonly ticket: Pick<Ticket, 'ticketId' | 'state' | 'players'>;
}): ReactElement | null {
  const { operator } = useSession();
  const { ticketId, players } = ticket;
  if (!isCancellable(ticket)) return null;
  return (
    <Action
      call="cancelTicketAs"
      label="Cancel ticket"
      title={`Cancel ticket ${ticketId}`}
      text={`${players.join(', ')} ${players.length === 1 ? 'leaves' : 'leave'} the queue, without a penalty, and may queue again at once. Others who are asked to accept the same match return to the queue.`}
      fields={[reason('Its players read it.')]}
      isGrave
      send={(values) => operator.cancelTicket(ticketId, { reason: textIn(values, 'reason') })}
      done={`Ticket ${ticketId} is cancelled.`}
    />
  );
}
