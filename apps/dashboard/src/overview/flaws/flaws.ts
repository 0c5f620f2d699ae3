import type { Flaw, Grade, Seen } from './flaw.js';
import { flawsOfFleet } from './of-fleet.js';
import { flawsOfQueues } from './of-queues.js';
import { flawsOfServices } from './of-services.js';
import { flawsOfPools, flawsOfWebhooks, flawsOfWork } from './of-work.js';

const order: readonly Grade[] = ['critical', 'warning', 'notice'];

/** What is wrong now, the gravest first. Nothing: all is well, as far as it was answered. */
export function flawsOf(seen: Seen): Flaw[] {
  return [
    ...flawsOfServices(seen),
    ...flawsOfQueues(seen),
    ...flawsOfFleet(seen),
    ...flawsOfWork(seen),
    ...flawsOfWebhooks(seen),
    ...flawsOfPools(seen),
  ].toSorted((a, b) => order.indexOf(a.grade) - order.indexOf(b.grade));
}
