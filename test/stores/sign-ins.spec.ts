import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PostgresKeyAdministration } from '../../apps/queue/src/operators/operator-keys.store.js';
import { SignIns } from '../../apps/queue/src/operators/sign-ins.js';
import { PostgresSignIns } from '../../apps/queue/src/operators/sign-ins.store.js';
import { as } from '../support/database.js';
import { databaseForEach, noon, range } from './fixtures.js';

const data = databaseForEach();
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const limits = { ofName: 2, inAll: 10 };
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Sign-ins at a time that the test sets. */
function signIns() {
  const clock = { at: noon, now: () => clock.at };
  let count = 0;
  const next = (what: string): string => `${what}_${++count}`;
  const store = new PostgresSignIns(as('queue', data().db));
  const keys = new PostgresKeyAdministration(as('queue', data().db));
  const codes = {
    make: () => {
      const code = next('code');
      return { code, hash: sha256(code) };
    },
    hashOf: sha256,
  };
  const maker = { make: () => ({ key: next('muk'), hash: next('hash') }) };
  return { use: new SignIns(store, clock, { make: next }, codes, maker), store, keys, clock };
}

const ann = { name: 'ann', role: 'support', signIn: 'token', keyId: null } as const;
const withKey = (keyId: string) => ({ ...ann, signIn: 'key', keyId }) as const;
const aKey = (keyId: string, expiresAt: number | null = null) => ({
  keyId,
  name: 'ann',
  role: 'support' as const,
  hash: `hash of ${keyId}`,
  by: 'root',
  now: noon,
  expiresAt,
});

describe('a code', () => {
  it('signs in with the name and the role of who asked for it, for twelve hours', async () => {
    const { use } = signIns();
    const { code, expiresAt } = await use.createCode(ann);
    expect(expiresAt).toBe(noon + 10 * minuteMs);
    expect(await use.signIn(code)).toMatchObject({
      name: 'ann',
      role: 'support',
      createdBy: 'ann',
      expiresAt: noon + 12 * hourMs,
      ofSignIn: true,
      key: expect.stringMatching(/^muk_/),
    });
  });

  it('is stored hashed, and signs in once, also when browsers send it in the same moment', async () => {
    const { use, keys } = signIns();
    for (const _ of range(10)) {
      const { code } = await use.createCode(ann);
      const rows = await data().db.$queryRaw<object[]>`SELECT * FROM sign_in_code`;
      expect(JSON.stringify(rows)).not.toContain(code);
      const answers = await Promise.allSettled(range(4).map(() => use.signIn(code)));
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await expect(use.signIn(code)).rejects.toMatchObject({ code: 'sign-in-refused' });
    }
    const { length } = (await keys.list()).filter((key) => key.made_with !== null);
    expect(length).toBe(10);
  });

  it('expires after ten minutes, and its row goes', async () => {
    const { use, store, clock } = signIns();
    const { code } = await use.createCode(ann);
    const kept = await use.createCode({ ...ann, name: 'bob' });
    clock.at = noon + 10 * minuteMs;
    await expect(use.signIn(code)).rejects.toThrow('`muster dashboard`');
    await store.deleteExpired(clock.at);
    expect(await data().db.signInCode.count()).toBe(1);
    clock.at += 1;
    await store.deleteExpired(clock.at);
    await expect(use.signIn(kept.code)).rejects.toThrow('each signs in once');
    expect(await data().db.signInCode.count()).toBe(0);
  });

  it('gives way where a name has five newer ones', async () => {
    const { use, clock } = signIns();
    const codes = [];
    for (const i of range(6)) {
      clock.at = noon + i;
      codes.push(await use.createCode(ann));
    }
    const [first, ...others] = codes;
    await expect(use.signIn(first?.code ?? '')).rejects.toThrow('each signs in once');
    for (const { code } of others) await use.signIn(code);
  });
});

describe('a session', () => {
  it('counts with no keys of its name, and the oldest of five gives way', async () => {
    const { use, keys, clock } = signIns();
    const sessions = [];
    for (const i of range(6)) {
      clock.at = noon + i;
      sessions.push(await use.signIn((await use.createCode(ann)).code));
    }
    const valid = (await keys.list()).filter(({ revoked_at: at }) => at === null).map(({ id }) => id);
    expect(valid.toSorted()).toEqual(
      sessions
        .slice(1)
        .map(({ keyId }) => keyId)
        .toSorted(),
    );
    expect(await keys.create(aKey('k1'), limits)).toHaveProperty('id');
    expect(await keys.create(aKey('k2'), limits)).toHaveProperty('id');
    expect(await keys.create(aKey('k3'), limits)).toEqual({ ofName: 2, inAll: 2 });
  });

  it('ends with the key that its code was made with, and is revoked with it; so do sessions of sessions', async () => {
    const { use, keys, clock } = signIns();
    await keys.create(aKey('k1', noon + hourMs), limits);
    const first = await use.signIn((await use.createCode(withKey('k1'))).code);
    expect(first.expiresAt).toBe(noon + hourMs);
    clock.at = noon + 10 * minuteMs;
    const second = await use.signIn((await use.createCode(withKey(first.keyId))).code);
    expect(second.expiresAt).toBe(noon + hourMs);
    const open = await use.createCode(withKey('k1'));
    await keys.revoke('k1', clock.at);
    expect((await keys.list()).map(({ revoked_at: at }) => at?.getTime())).toEqual(
      range(3).map(() => clock.at),
    );
    await expect(use.signIn(open.code)).rejects.toMatchObject({ code: 'sign-in-refused' });
  });

  it('is forgotten a day after its end, when keys are still shown', async () => {
    const { use, keys } = signIns();
    await keys.create(aKey('k1', noon + hourMs), limits);
    await use.signIn((await use.createCode(ann)).code);
    await keys.deleteEnded(noon, noon + 12 * hourMs);
    expect(await keys.list()).toHaveLength(2);
    await keys.deleteEnded(noon, noon + 12 * hourMs + 1);
    expect((await keys.list()).map(({ id }) => id)).toEqual(['k1']);
    await keys.deleteEnded(noon + hourMs + 1, noon);
    expect(await keys.list()).toEqual([]);
  });
});
