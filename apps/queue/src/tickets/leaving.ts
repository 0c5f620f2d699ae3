import type { MatchUpdate } from '@muster/contracts';
import type { ApplyMatchUpdates } from './match-updates.js';
import type { MyTickets } from './my-tickets.js';

type Leave = NonNullable<ConstructorParameters<typeof MyTickets>[2]>['leave'];

/** How a player leaves a match: the allocator frees the seat, and the ticket follows at once. */
export function leavingBy(allocator: { leave: Leave }, updates: Pick<ApplyMatchUpdates, 'run'>) {
  return {
    leave: (matchId: string, ticketId: string) => allocator.leave(matchId, ticketId),
    applyUpdate: (update: MatchUpdate) => updates.run(update),
  };
}
