import type { AllocationRequest, ServerProvider } from '@muster/domain';
import { afterEach, beforeEach, expect, it } from 'vitest';

/** What may happen to a request: the names of `NextFault` of the rigs. */
export type ProviderFault = 'lose' | 'cut' | 'slow' | 'busy' | 'error' | 'garbage';

/** A provider with the other side of it, which sees what the provider was asked and what it holds. */
export interface ProviderRig {
  readonly provider: ServerProvider;
  /** The id of the allocation of each server that the other side holds: an id twice is a server too many. */
  held(): string[];
  /** What was wrong with requests, by the published definition. */
  invalid(): string[];
  /** Lets the next requests fail in this way. Absent: the provider asks nobody. */
  plan?(...faults: ProviderFault[]): void;
  /** Leaves the other side without servers. */
  exhaust(): void;
  /** Servers that were told so shut down. */
  shutDownReleased(): void;
  /** The delay that a busy side asks for, in milliseconds; null: it cannot say. */
  readonly retryAfterMs: number | null;
  close(): Promise<void>;
}

const firstId = `alc_${'0123456789abcdef'.repeat(2)}`;
const secondId = `alc_${'fedcba9876543210'.repeat(2)}`;

/** What a provider is asked for in these tests. */
export const conformanceRequest = (id = firstId): AllocationRequest => ({
  id,
  build: '1.4.2',
  region: 'eu',
  reason: '1 match waits',
});

/**
 * The behaviour of every provider of servers: a request is repeated without a second server, a release without an
 * error, trouble is an answer, and no request breaks the published definition.
 *
 * @param create opens a rig that holds nothing and has servers of build 1.4.2 in eu and in us
 */
export function serverProviderConformance(create: () => Promise<ProviderRig>): void {
  let rig: ProviderRig;
  beforeEach(async () => {
    rig = await create();
  });
  afterEach(async () => {
    const invalid = rig.invalid();
    await rig.close();
    expect(invalid).toEqual([]);
  });

  /** Asks until a server is named, as the coordinator does. */
  async function askUntilNamed(request = conformanceRequest()): Promise<string> {
    let answer = await rig.provider.ask(request);
    for (let i = 0; i < 20 && answer.state !== 'allocated'; i++)
      answer = await (answer.state === 'pending' ? rig.provider.poll(request) : rig.provider.ask(request));
    if (answer.state !== 'allocated') throw new Error(`no server is named: ${JSON.stringify(answer)}`);
    return `${answer.host}:${answer.port}`;
  }

  async function releaseUntilGone(request = conformanceRequest()): Promise<void> {
    for (let i = 0; i < 20; i++) {
      if ((await rig.provider.release(request)).state === 'released') return;
      rig.shutDownReleased();
    }
    throw new Error('it was not released');
  }

  it('names a server, and the same one whenever it is asked with the same id', async () => {
    const server = await askUntilNamed();
    expect(server).toMatch(/^[\w.]+:\d+$/);
    expect(await askUntilNamed()).toBe(server);
    expect(await Promise.all([1, 2, 3].map(() => askUntilNamed()))).toEqual([server, server, server]);
    expect(rig.held()).toEqual([firstId]);
  });

  it('names different servers for different ids', async () => {
    const servers = [await askUntilNamed(), await askUntilNamed(conformanceRequest(secondId))];
    expect(new Set(servers).size).toBe(2);
    expect(rig.held().toSorted()).toEqual([firstId, secondId]);
  });

  it('names a server for any region', async () => {
    await askUntilNamed({ ...conformanceRequest(), region: null });
    expect(rig.held()).toEqual([firstId]);
  });

  it('gives a server back, as often as it is told', async () => {
    await askUntilNamed();
    await releaseUntilGone();
    expect(rig.held()).toEqual([]);
    await releaseUntilGone();
    await releaseUntilGone(conformanceRequest(secondId));
  });

  it('says why there is no server', async () => {
    rig.exhaust();
    const answer = await rig.provider.ask(conformanceRequest());
    expect(answer).toMatchObject({ error: expect.stringMatching(/\w/) });
    expect(['failed', 'unavailable']).toContain(answer.state);
    expect(rig.held()).toEqual([]);
  });

  for (const fault of ['lose', 'cut'] as const)
    it(`keeps one server when the reply is gone (${fault}), to a request and to a release`, async () => {
      if (!rig.plan) return;
      rig.plan(fault, fault);
      for (let i = 0; i < 2; i++)
        expect(await rig.provider.ask(conformanceRequest())).toMatchObject({ state: 'unavailable' });
      await askUntilNamed();
      expect(rig.held()).toEqual([firstId]);
      rig.plan(fault);
      expect(await rig.provider.release(conformanceRequest())).toMatchObject({ state: 'unavailable' });
      await releaseUntilGone();
      expect(rig.held()).toEqual([]);
    });

  for (const fault of ['slow', 'error', 'garbage'] as const)
    it(`reports trouble (${fault}) as an answer, and works afterwards`, async () => {
      if (!rig.plan) return;
      rig.plan(fault);
      expect(await rig.provider.ask(conformanceRequest())).toMatchObject({
        state: 'unavailable',
        error: expect.stringMatching(/\w/),
        retryAfterMs: null,
      });
      await askUntilNamed();
      expect(rig.held()).toEqual([firstId]);
    });

  it('hands on how long a busy side wants no requests', async () => {
    if (!rig.plan) return;
    const { retryAfterMs } = rig;
    rig.plan('busy', 'busy');
    expect(await rig.provider.ask(conformanceRequest())).toMatchObject({
      state: 'unavailable',
      retryAfterMs,
    });
    expect(await rig.provider.release(conformanceRequest())).toMatchObject({
      state: 'unavailable',
      retryAfterMs,
    });
    expect(rig.held()).toEqual([]);
  });

  it('lists what is held, if it lists', async () => {
    const ids = [firstId, secondId, `alc_${'5'.repeat(32)}`];
    for (const id of ids) await askUntilNamed(conformanceRequest(id));
    if (!rig.provider.list) return;
    const listed: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await rig.provider.list(cursor);
      listed.push(...page.ids);
      cursor = page.next;
    } while (cursor !== null);
    expect(listed.toSorted()).toEqual(ids.toSorted());
  });
}
