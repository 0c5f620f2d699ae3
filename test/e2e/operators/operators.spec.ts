import {
  endpointOf,
  operatorRoles,
  type AuditEntry,
  type EndpointName,
  type KeyView,
  type OperatorRole,
  type OperatorView,
} from '@muster/contracts';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { register } from '../../support/game-server.js';
import { ask, jsonOf, problemOf, type Answer, type Ask } from '../../support/http.js';
import { muster, type Ended } from '../../support/muster.js';
import type { Stack } from '../../support/stack.js';
import { changes as changeExamples, isAudited, setStage, type Stage } from './every-change.js';
import { calls, everybody, tryCall, verdictOf, type Who } from './every-role.js';
import { ownStack } from '../shared-stack.js';

let stack: Stack;
let provider: Server;
let staff: CryptoKey;
/** A key of each role, made by the command line. */
const keys = new Map<OperatorRole, string>();

const command = (args: readonly string[], key: string = stack.run.operatorKey): Promise<Ended> =>
  muster([...args, '--url', stack.url, '--operator-key', key]);

async function json<T>(args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await command([...args, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
}

beforeAll(async () => {
  const pair = await generateKeyPair('RS256');
  staff = pair.privateKey;
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'staff' }] });
  provider = createServer((_, response) => response.setHeader('content-type', 'application/json').end(jwks));
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const { port } = provider.address() as AddressInfo;
  stack = await ownStack([], {
    OPERATOR_JWKS: `http://127.0.0.1:${port}/keys`,
    OPERATOR_ISSUER: 'https://id.example',
    OPERATOR_NAME_CLAIM: 'email',
    OPERATOR_ROLE_NAMES: 'support=players team,operator=sre',
  });
  for (const role of operatorRoles) {
    const made = await json<KeyView & { key: string }>(['keys', 'create', `${role}-tool`, '--role', role]);
    keys.set(role, made.key);
  }
});
afterAll(async () => {
  await stack?.stop();
  provider.close();
});

const as = (role: OperatorRole, more: Omit<Ask, 'token'> = {}): Ask => ({
  ...more,
  token: keys.get(role) ?? '',
});

/** A token of the identity provider. */
const staffToken = (claims: JWTPayload): Promise<string> =>
  new SignJWT({ email: 'staff@example.com', ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'staff' })
    .setIssuer('https://id.example')
    .setAudience('muster-operators')
    .setSubject('00u1')
    .setExpirationTime('5m')
    .sign(staff);

/** A refusal with the facts for programs. */
const refusalOf = (answer: Answer): object => ({
  ...(JSON.parse(answer.text) as object),
  ...problemOf(answer),
});

/** The credentials of everybody. */
async function tokensOf(): Promise<ReadonlyMap<Who, string>> {
  const { serverToken } = await register(stack, { serverId: 'operators-1', build: 'operators' });
  return new Map<Who, string>([
    ['no role', await staffToken({ roles: ['nobody'] })],
    ['player', await stack.token('roles-player')],
    ['server', serverToken],
    ['fleet', stack.run.serverKey],
    ...keys,
  ]);
}

describe('each call', () => {
  let tokens: ReadonlyMap<Who, string>;
  beforeAll(async () => void (tokens = await tokensOf()));

  it.each(calls)('%s is for whom the table says', async (_, endpoint) => {
    const verdicts = await Promise.all(
      everybody.map(async (who) => [who, await tryCall(stack.url, endpoint, tokens.get(who))] as const),
    );
    expect(Object.fromEntries(verdicts)).toEqual(
      Object.fromEntries(everybody.map((who) => [who, verdictOf(endpoint, who)])),
    );
  });
});

describe('each change by an operator', () => {
  let stage: Stage;
  /** Of an operator who does nothing else. */
  let token: string;
  beforeAll(async () => {
    stage = await setStage(stack);
    ({ key: token } = await json<{ key: string }>(['keys', 'create', 'auditor', '--role', 'admin']));
  });

  it('has an example', () => {
    const audited = calls.flatMap(([name, { callers }]) =>
      isAudited(name as EndpointName, callers) ? [name] : [],
    );
    expect(Object.keys(changeExamples).toSorted()).toEqual(audited.toSorted());
  });

  it.each(Object.entries(changeExamples))(
    '%s has one row of the log, with what it changed',
    async (call, example) => {
      const { params = {}, query = '', body, outcome = 'done' } = example(stage);
      const { method, path, status } = endpointOf(call as EndpointName);
      const at = path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '');
      const answer = await ask(stack.url, `${at}${query}`, { token, method, ...(body ? { body } : {}) });
      expect({ isDone: answer.status === status, answer }).toMatchObject({ isDone: outcome === 'done' });
      stage.answers.set(call, JSON.parse(answer.text) as Record<string, unknown>);
      const rows = await changes(`call=${call}&who=auditor`);
      expect(rows).toMatchObject([
        { who: 'auditor', role: 'admin', signIn: 'key', keyId: expect.any(String), call, outcome },
      ]);
      const [row] = rows;
      expect(row?.targets).toEqual(expect.arrayContaining(Object.values(params)));
      expect(row?.from).toContain('127.0.0.1');
      if (body && 'reason' in body) expect(row?.reason).toBe(body.reason);
      if (outcome === 'done') expect(row?.before ?? row?.after).not.toBeNull();
      // No row has what a key or a secret is made of.
      const { key, secret, code } = stage.answers.get(call) ?? {};
      for (const hidden of [key, secret, code])
        if (typeof hidden === 'string') expect(JSON.stringify(row)).not.toContain(hidden);
    },
  );
});

const changes = async (which: string): Promise<AuditEntry[]> =>
  jsonOf<{ entries: AuditEntry[] }>(await ask(stack.url, `/v1/audit?${which}`, as('admin'))).entries;

describe('an operator', () => {
  it('has a key with a role, and what is done with it is told with who, what and why', async () => {
    expect(jsonOf<OperatorView>(await ask(stack.url, '/v1/me/operator', as('support')))).toMatchObject({
      name: 'support-tool',
      role: 'support',
      signIn: 'key',
    });
    const body = { mu: 30, sigma: 2, reason: 'A guest of honour.' };
    jsonOf(await ask(stack.url, '/v1/ratings/duel/audited-1', as('operator', { body })));
    const [entry] = await changes('target=audited-1');
    expect(entry).toMatchObject({
      service: 'rating',
      who: 'operator-tool',
      role: 'operator',
      call: 'setRating',
      targets: expect.arrayContaining(['duel', 'audited-1']),
      reason: 'A guest of honour.',
      asked: { mu: 30, sigma: 2 },
      after: expect.arrayContaining([
        expect.objectContaining({ table: 'rating', state: expect.objectContaining({ mu: 30 }) }),
      ]),
      outcome: 'done',
    });
    expect(entry?.from).toContain('127.0.0.1');
    // What was refused is told, what was not understood is not.
    problemOf(
      await ask(stack.url, '/v1/results/mat_audited-2/void', as('support', { body: { reason: 'why' } })),
    );
    problemOf(
      await ask(stack.url, '/v1/results/mat_audited-2/void', as('support', { body: { because: 'why' } })),
    );
    expect(await changes('target=mat_audited-2')).toMatchObject([
      { call: 'voidMatch', who: 'support-tool', outcome: 'match-not-found' },
    ]);
  });

  it('signs in with a token of the identity provider', async () => {
    const token = await staffToken({ roles: ['sre'], email: 'ann@example.com' });
    const me = await ask(stack.url, '/v1/me/operator', { token });
    expect(jsonOf(me)).toEqual({ name: 'ann@example.com', role: 'operator', signIn: 'token', keyId: null });
    expect(refusalOf(await ask(stack.url, '/v1/keys', { token }))).toMatchObject({
      code: 'not-allowed',
      role: 'admin',
      detail: expect.stringContaining('This call needs the role admin'),
    });
  });

  it('is told in the terminal which role a command needs', async () => {
    const { code, stderr } = await command(['keys', 'list'], keys.get('viewer'));
    expect([code, stderr]).toEqual([
      1,
      'muster: This call needs the role admin; you are authenticated as operator viewer-tool with the role viewer.\n',
    ]);
    expect((await command(['keys', 'me'], keys.get('viewer'))).stdout).toMatch(
      /^name +viewer-tool\nrole +viewer\n/,
    );
  });
});

describe('a link of `muster dashboard`', () => {
  const codeIn = (link: string): string => new URL(link.trim()).hash.replace('#code=', '');
  const signIn = (code: string): Promise<Answer> => ask(stack.url, '/v1/sign-ins', { body: { code } });

  it('signs in once, with the name and the role of its key, and no longer than that', async () => {
    const made = await json<KeyView & { key: string }>(['keys', 'create', 'visitor', '--role', 'support']);
    const { code: exit, stdout } = await command(['dashboard'], made.key);
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/^http:\S+\/dashboard#code=[\w-]{43}\n$/)]);
    const answers = await Promise.all([1, 2, 3].map(() => signIn(codeIn(stdout))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403, 403]);
    const { key, ...session } = jsonOf<KeyView & { key: string }>(
      answers.find(({ status }) => status === 201) ?? (await signIn('')),
      201,
    );
    expect(session).toMatchObject({ name: 'visitor', role: 'support', ofSignIn: true });
    expect((await json<{ keys: KeyView[] }>(['keys', 'list'])).keys).toContainEqual({
      ...session,
      lastUsedAt: null,
    });
    const status = async (): Promise<number> => (await ask(stack.url, '/v1/pools', { token: key })).status;
    expect(await status()).toBe(200);
    await command(['keys', 'revoke', made.keyId]);
    await expect.poll(status, { timeout: 20_000 }).toBe(401);
  });

  it('has the name and the role of a token of the identity provider', async () => {
    const token = await staffToken({ roles: ['sre'], email: 'bea@example.com' });
    const { code } = jsonOf<{ code: string }>(
      await ask(stack.url, '/v1/sign-in-codes', { token, method: 'POST' }),
      201,
    );
    const { key } = jsonOf<{ key: string }>(await signIn(code), 201);
    expect(jsonOf(await ask(stack.url, '/v1/me/operator', { token: key }))).toMatchObject({
      name: 'bea@example.com',
      role: 'operator',
      signIn: 'key',
    });
  });
});

describe('the keys of operators', () => {
  it('are rotated without a gap: two are valid at once, a third is refused, a revoked one ends within seconds', async () => {
    const first = await json<KeyView & { key: string }>(['keys', 'create', 'rotating', '--role', 'viewer']);
    const next = await json<KeyView & { key: string }>([
      'keys',
      'create',
      'rotating',
      '--role',
      'viewer',
      '--expires-in-days',
      '30',
      '--reason',
      'rotation',
    ]);
    const third = await command(['keys', 'create', 'rotating', '--role', 'viewer']);
    expect([third.code, third.stderr]).toEqual([1, expect.stringContaining('has 2 valid keys')]);
    const status = async (token: string): Promise<number> =>
      (await ask(stack.url, '/v1/pools', { token })).status;
    expect([await status(first.key), await status(next.key)]).toEqual([200, 200]);
    const revoked = await command(['keys', 'revoke', first.keyId, '--reason', 'rotated']);
    expect(revoked.stdout).toMatch(/^name +rotating\n(.*\n)*revoked \(UTC\) +20/m);
    await expect.poll(() => status(first.key), { timeout: 20_000 }).toBe(401);
    expect(await status(next.key)).toBe(200);
    const { keys: listed } = await json<{ keys: KeyView[] }>(['keys', 'list']);
    expect(listed.find(({ keyId }) => keyId === first.keyId)?.revokedAt).toBeGreaterThan(0);
    expect(listed.find(({ keyId }) => keyId === first.keyId)?.lastUsedAt).toBeGreaterThan(0);
    expect(JSON.stringify(listed)).not.toContain(next.key);
    // The log knows both, and not the key.
    const log = await changes('target=rotating');
    expect(log.map(({ call, outcome }) => [call, outcome])).toEqual([
      ['createKey', 'too-many-keys'],
      ['createKey', 'done'],
      ['createKey', 'done'],
    ]);
    expect(await changes(`target=${first.keyId}`)).toMatchObject([{ call: 'revokeKey', reason: 'rotated' }]);
    expect(JSON.stringify(log)).not.toContain(next.key);
  });
});

describe('the audit log', () => {
  it('is shown in pages and by filters, and exported whole', async () => {
    for (const name of ['page-1', 'page-2', 'page-3'])
      jsonOf(await ask(stack.url, '/v1/keys', as('admin', { body: { name, role: 'viewer' } })), 201);
    const page = await json<{ entries: AuditEntry[]; next: string }>([
      'audit',
      'list',
      '--who',
      'admin-tool',
      '--call',
      'createKey',
      '--limit',
      '2',
    ]);
    expect(page.entries.map(({ targets }) => targets[0])).toEqual(['page-3', 'page-2']);
    const rest = await json<{ entries: AuditEntry[] }>([
      'audit',
      'list',
      '--who',
      'admin-tool',
      '--call',
      'createKey',
      '--after',
      page.next,
    ]);
    expect(rest.entries.map(({ targets }) => targets[0])).toEqual(['page-1']);
    const shown = await command(['audit', '--target', 'page-1']);
    expect(shown.stdout).toMatch(/admin-tool +admin +createKey +page-1 +done/);
    const exported = await command(['audit', 'export', '--who', 'admin-tool']);
    const lines = exported.stdout.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as AuditEntry).who)).toEqual(lines.map(() => 'admin-tool'));
    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect(refusalOf(await ask(stack.url, '/v1/audit?cursor=x', as('admin')))).toMatchObject({
      code: 'invalid-request',
    });
  });
});
