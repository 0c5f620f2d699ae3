import { describe, expect, it } from 'vitest';
import { PostgresInvariants, violationKinds } from '../../apps/allocator/src/watch/invariants.store.js';
import { as } from '../support/database.js';
import { databaseForEach } from './fixtures.js';
import { House } from './house.js';

const data = databaseForEach();

const none = Object.fromEntries(violationKinds.map((kind) => [kind, 0]));

describe('the sweep of invariants', () => {
  it('finds none in what transactions leave behind, and each that is planted', async () => {
    const { db } = data();
    const house = new House(db);
    const invariants = new PostgresInvariants(as('allocator', db));
    await house.server('s', { slots: 2 });
    await house.reserved('formed');
    await house.live('placed');
    expect(await invariants.violations()).toEqual(none);

    await db.$executeRaw`UPDATE match SET state = 'abandoned' WHERE id = 'placed'`;
    expect(await invariants.violations()).toEqual({
      ...none,
      openSessionOfOtherMatchState: 1,
      heldPlayerOfEndedMatch: 2,
    });
    await db.$executeRaw`UPDATE server SET state = 'lost'`;
    await db.$executeRaw`UPDATE match SET state = 'placed' WHERE id = 'formed'`;
    expect(await invariants.violations()).toEqual({
      openSessionOfOtherMatchState: 2,
      openSessionOfLostServer: 2,
      placementOfPlacedMatch: 1,
      heldPlayerOfEndedMatch: 2,
    });
  });
});
