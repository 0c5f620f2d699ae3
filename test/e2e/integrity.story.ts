import { beforeAll, describe, expect, it } from 'vitest';
import { ask, problemOf } from '../support/http.js';
import { muster } from '../support/muster.js';
import type { Stack } from '../support/stack.js';
import { storiesStack } from './stories-stack.js';

const pool = 'watched';
let stack: Stack;
let played = 0;

/** What a game tells of a person. */
const habitsOf = (person: string): Record<string, string> =>
  Object.fromEntries(
    ['device', 'network', 'settings', 'client'].map((kind) => [kind, `${kind} of ${person}`]),
  );

const play = (
  winner: string,
  loser: string,
  habits: Record<string, Record<string, string>> = {},
): Promise<unknown> =>
  stack.operator.reportMatch({
    eventId: `watched-match-${++played}`,
    pool,
    teams: [[winner], [loser]],
    ranks: [1, 2],
    habits: { [winner]: habitsOf(winner), [loser]: habitsOf(loser), ...habits },
  });

beforeAll(async () => {
  stack = await storiesStack();
  await stack.operator.createPool({ name: pool, integrity: { uncertainty: 0.9 } });
  // Two players take turns, and lose to others in between.
  for (let i = 0; i < 12; i++) {
    await play(...((i % 2 === 0 ? ['eva', 'fay'] : ['fay', 'eva']) as [string, string]));
    await play(`guest-${i}`, 'eva');
    await play('fay', `other-${i}`);
  }
});

/** What a command prints. */
async function said(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await muster([...args, '--data-dir', stack.dataDir], {
    DATABASE_URL: stack.run.databaseUrl,
    REDIS_URL: stack.run.redisUrl,
  });
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

/** The open case of the pool, once its signal has been found and has had its effect. */
async function theCase() {
  for (;;) {
    const { cases } = await stack.operator.cases({ pool, kind: 'collusion' });
    const [found] = cases;
    if (found?.raised === true && found.matches === 12) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The open case about an alternate account, once it has been found. */
async function alternateCase() {
  for (;;) {
    const [found] = (await stack.operator.cases({ pool, kind: 'alternate' })).cases;
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('integrity', () => {
  it('opens a case with what speaks for and against, and raises the uncertainty up to the bound', async () => {
    const found = await theCase();
    expect(found).toMatchObject({
      kind: 'collusion',
      players: ['eva', 'fay'],
      state: 'open',
      outdated: false,
      verdict: null,
    });
    expect(found.pro[0]).toMatchObject({
      code: 'integrity.pair-met',
      text: expect.stringContaining('12 times'),
    });
    expect(found.contra.length).toBeGreaterThan(1);
    const { changes } = await stack.operator.ratingHistory(pool, 'eva');
    expect(changes.filter(({ kind }) => kind === 'signal')).toHaveLength(1);
    expect(changes.find(({ kind }) => kind === 'signal')?.reason).toContain(found.caseId);
  });

  it('is for operators alone', async () => {
    const token = await stack.token('eva');
    const refused = await ask(stack.url, '/v1/integrity/cases', { token });
    expect(problemOf(refused)).toMatchObject({ status: 403, code: 'not-allowed' });
  });

  it('is read and judged by commands', async () => {
    const { caseId } = await theCase();
    const list = await said(['case', 'list', '--pool', pool]);
    expect(list).toContain(caseId);
    const text = await said(['case', 'show', caseId]);
    expect(text).toMatch(/kind +collusion\nplayers +eva, fay\n/);
    expect(text).toMatch(/pro\n.+met 12 times/);
    const close = ['case', 'close', caseId, '--verdict', 'cleared', '--note', 'Sisters who train.'];
    for (const _ of [1, 2]) expect(await said(close)).toMatch(/verdict +cleared/);
    expect(await said(['case', 'show', caseId])).toMatch(/verdict +cleared\nnote +Sisters who train\./);
    await expect(stack.operator.closeCase(caseId, { verdict: 'confirmed' })).rejects.toMatchObject({
      code: 'case-closed',
    });
    expect((await stack.operator.cases({ pool })).cases).toEqual([]);
    expect((await stack.operator.cases({ pool, state: 'closed', player: 'fay' })).cases).toHaveLength(1);
  });

  it('finds a new account with the habits of an older one', async () => {
    await play('guest-3', 'eva-2', { 'eva-2': habitsOf('eva') });
    const found = await alternateCase();
    expect(found).toMatchObject({ players: ['eva-2', 'eva'], matches: 1 });
    const text = await said(['case', 'show', found.caseId]);
    expect(text).toMatch(/kind +alternate\nplayers +eva-2, eva\n/);
    expect(text).toMatch(/pro\n +eva-2 is the new account, eva the older one\./);
    expect(text).toMatch(/The same device, which 2 of 2\d players have\./);
    expect(text).toMatch(/contra\n.+1 in [\d.]+ new accounts/);
    expect(text).toContain('Families, shared homes and internet cafés share devices and networks.');
    // What is stored is no code.
    const exported = await said(['player', 'export', 'eva-2']);
    const { tables } = JSON.parse(exported) as { tables: Record<string, { rows: { kind: string }[] }> };
    const told = tables['player_habit']?.rows ?? [];
    expect(told.map(({ kind }) => kind).toSorted()).toEqual(['client', 'device', 'network', 'settings']);
    expect(JSON.stringify(told)).not.toMatch(/of eva|code/);
  });

  it('shows the rule of the pool', async () => {
    const text = await said(['pool', 'show', pool]);
    expect(text).toMatch(/^integrity +uncertainty=0\.9/m);
    await said(['pool', 'change', pool, '--integrity', 'none']);
    expect(await said(['pool', 'show', pool])).not.toMatch(/^integrity/m);
  });
});
