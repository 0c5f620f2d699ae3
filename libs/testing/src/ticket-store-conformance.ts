import { describe } from 'vitest';
import { describeBackfilling } from './conformance/backfilling.js';
import { describeClaiming } from './conformance/claiming.js';
import { storeTest, type CreateStore } from './conformance/harness.js';
import { describePlaying } from './conformance/playing.js';
import { describePooling } from './conformance/pooling.js';
import { describeQueueing } from './conformance/queueing.js';
import { describeReadyCheck } from './conformance/ready-check.js';

/**
 * The behaviour of every ticket store, as tests. Each test asks for a separate store.
 *
 * @param name the adapter, for the report
 * @param create makes an empty store
 */
export function describeTicketStore(name: string, create: CreateStore): void {
  describe(`${name}: the ticket store's contract`, () => {
    const given = storeTest(create);
    describeQueueing(given);
    describeClaiming(given);
    describePlaying(given);
    describeReadyCheck(given);
    describePooling(given);
    describeBackfilling(given);
  });
}
