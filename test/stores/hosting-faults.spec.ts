import { seededRandom, type AllocationState, type ServerProvider } from '@muster/domain';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Fault } from '../support/hosting/faults.js';
import { makeCertificates } from '../support/certificates.js';
import { agonesRig, webhookRig } from '../support/hosting/rigs.js';
import { Coordinator, needFor, type CoordinatorOptions } from './coordinator.js';
import { databaseForEach, noon } from './fixtures.js';
import { House } from './house.js';

const data = databaseForEach();
const certificates = makeCertificates();

const coordinator = (provider: ServerProvider, options?: CoordinatorOptions, count?: number): Coordinator =>
  new Coordinator(data(), provider, options, count);

const counted = (states: readonly string[]): Partial<Record<AllocationState, number>> =>
  Object.fromEntries(
    [...new Set(states)].map((state) => [state, states.filter((each) => each === state).length]),
  );

const faults: readonly (Fault | null)[] = [
  'lose',
  'cut',
  'slow',
  'busy',
  'error',
  'garbage',
  null,
  null,
  null,
  null,
];

describe('C18 a provider whose replies are lost, late, refused and broken', () => {
  it.each(['grpc', 'rest', 'webhook'] as const)('leaks no server and doubles none: %s', async (by) => {
    const h = new House(data().db);
    const rig = by === 'webhook' ? await webhookRig(1) : await agonesRig(by, certificates);
    onTestFinished(rig.close);
    const c = coordinator(rig.provider, { maxPending: 20 }, 3);
    const random = seededRandom(11);
    const plan = (): Fault | null => faults[Math.floor(random() * faults.length)] ?? null;
    if ('cluster' in rig) rig.cluster.faults.otherwise = plan;
    else rig.endpoint.faults.otherwise = plan;

    await c.hosting.ask(needFor(5)).catch(() => undefined);
    // One is never claimed: its server does not come. The others register as soon as they are held.
    const registered = new Map<string, string>();
    const [deserted = ''] = (await data().db.allocation.findMany({ orderBy: { id: 'asc' } })).map(
      ({ id }) => id,
    );
    for (let i = 0; i < 40; i++) {
      for (const [j, id] of rig.held().entries()) {
        if (id === deserted || registered.has(id)) continue;
        await c.register(`game-${i}-${j}`, id);
        registered.set(id, `game-${i}-${j}`);
      }
      await c.pass(4_000);
      rig.shutDownReleased();
      expect(new Set(rig.held()).size).toBe(rig.held().length);
      if (registered.size === 4 && !rig.held().includes(deserted) && c.now > noon + 130_000) break;
    }
    expect(registered.size).toBe(4);
    expect(counted(await c.states())).toMatchObject({ claimed: 4 });
    expect(rig.held().toSorted()).toEqual([...registered.keys()].toSorted());

    for (const serverId of registered.values()) await c.allocator.fleet.leave(serverId, c.now);
    for (let i = 0; i < 60; i++) {
      await c.pass(300_000);
      rig.shutDownReleased();
      // An endpoint may say that a server is released and keep it: its list tells.
      await c.hosting.reconcile();
      if (rig.held().length === 0 && (await c.states()).every((state) => state === 'released')) break;
    }
    expect(rig.held()).toEqual([]);
    expect(counted(await c.states())).toEqual({ released: 5 });
    expect(rig.invalid()).toEqual([]);
    expect(await h.disorder()).toEqual([]);
  });

  it('gives back what an endpoint still holds of an allocation that is over', async () => {
    const rig = await webhookRig();
    onTestFinished(rig.close);
    const c = coordinator(rig.provider);
    await c.hosting.ask(needFor(3));
    const [first, ...kept] = rig.held();
    await data().db.$executeRaw`
      UPDATE allocation SET state = 'failed', closed_at = now(), next_at = NULL WHERE id = ${first ?? ''}`;
    const foreign = `alc_${'f'.repeat(32)}`;
    rig.endpoint.held.set(foreign, { port: 1, polls: 0 });
    await c.hosting.reconcile();
    await c.pass(1_000);
    expect(rig.held().toSorted()).toEqual([...kept, foreign].toSorted());
    expect(c.troubles.join()).toContain(`not known: ${foreign}`);
  });
});
