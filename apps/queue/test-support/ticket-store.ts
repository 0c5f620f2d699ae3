import { RedisTicketStore } from '../src/core/ticket.store.js';

/** A ticket store without a service around it: nobody watches its memory, which counts as whole. */
export class UnwatchedTicketStore extends RedisTicketStore {
  protected override readonly checksMemory = false;
}

/** One whose leases and outages follow the times that a test gives, in place of the server's clock. */
export class SteppedTicketStore extends UnwatchedTicketStore {
  protected override leaseTime(given: number): number {
    return given;
  }
}
