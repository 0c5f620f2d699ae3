import type { FleetKeyCreated, ServerRegistered } from '@muster/contracts';
import { requestSigner } from '@muster/sdk';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { ask, jsonOf, type Ask } from '../../support/http.js';
import { allOf } from '../answers.js';
import { attack, refused, type Attack, type Topic } from '../attack.js';
import { call, rogueServer, type Target } from '../target.js';

const unknownCaller = refused('401 not-authenticated');
const full = refused('409 fleet-full');
const notFor = refused('403 fleet-refused');

async function newKey({ url, keys }: Target, caps: object = {}): Promise<FleetKeyCreated> {
  const body = { fleet: 'atk-fleet', ...caps };
  return jsonOf(await ask(url, '/v1/fleet-keys', { token: keys.operator, body }), 201);
}

const registers = (target: Target, token: string, over: Readonly<Record<string, unknown>>): Promise<string> =>
  call(target, '/v1/servers', { token, body: rogueServer(over) });

/** A registration with a key that has caps. */
const capped =
  (caps: object, over: Readonly<Record<string, unknown>>): Attack['run'] =>
  async (target) =>
    registers(target, (await newKey(target, caps)).key, { serverId: 'atk-capped', ...over });

const revoked = '401 not-authenticated';

/** What a call comes to within five seconds. A revocation needs one, and in between its servers are superseded. */
async function soon(once: () => Promise<string>): Promise<string> {
  let seen = await once();
  for (let tries = 0; tries < 50 && seen !== revoked; tries++) {
    await sleep(100);
    seen = await once();
  }
  return seen;
}

interface Signed {
  readonly method?: string;
  readonly path?: string;
  readonly body: object;
  readonly token?: string;
  /** Of a server in place of the key. */
  readonly serverId?: string;
  readonly now?: () => number;
}

/** A signed request, which can be sent again as it is. */
async function signed({ url }: Target, key: string, signs: Signed): Promise<Ask> {
  const { method = 'POST', path = '/v1/servers', body, token, serverId = null, now } = signs;
  const raw = JSON.stringify(body);
  const plain: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const more = await requestSigner(
    key,
    serverId,
    now,
  )({ method, url: url + path, headers: plain, body: raw });
  return { method, raw, headers: { ...plain, ...more } };
}

/** A registration that is signed, and may be changed afterwards. */
const signs =
  (over: Partial<Signed>, changed: Ask = {}, path = '/v1/servers'): Attack['run'] =>
  async (target) => {
    const { key } = await newKey(target, { mustSign: true });
    const request = await signed(target, key, { body: rogueServer({ serverId: 'atk-signs' }), ...over });
    return call(target, path, { ...request, ...changed });
  };

/** A server whose requests are signed. */
async function signingServer(target: Target, serverId: string): Promise<{ key: string; token: string }> {
  const { key } = await newKey(target, { mustSign: true });
  const request = await signed(target, key, { body: rogueServer({ serverId }) });
  const { serverToken } = jsonOf<z.infer<typeof ServerRegistered>>(
    await ask(target.url, '/v1/servers', request),
    201,
  );
  return { key, token: serverToken };
}

/** Keys of fleets that came into wrong hands, and requests that were overheard. */
export const fleetKeys: Topic = {
  name: 'Keys of fleets and signed requests',
  about:
    'A key has caps and can be revoked; its servers end with it. Where it demands signatures, neither key nor token is of use to who overhears them.',
  bounds: { processorSeconds: 6, memoryMiB: 96 },
  attacks: [
    attack('ten servers at once with a key for two', '8 × 409 fleet-full, 2 × 201', async (target) => {
      const { key } = await newKey(target, { maxServers: 2 });
      const one = (n: number): Promise<string> => registers(target, key, { serverId: `atk-capped-${n}` });
      return allOf(await Promise.all(Array.from({ length: 10 }, (_, n) => one(n))));
    }),
    full('a server of 11 slots with a key for ten', capped({ maxSlots: 10 }, { slots: 11 })),
    notFor('a server in a region that its key is not for', capped({ regions: ['eu'] }, { region: 'ap' })),
    notFor('a server of a build that its key is not for', capped({ builds: ['1.4'] }, { build: '1.5' })),
    refused('409 server-id-taken')(
      'the id of a server of another fleet',
      capped({ fleet: 'atk-others' }, { serverId: 'atk-arena' }),
    ),
    unknownCaller('a key with another last letter', async (target) => {
      const { key } = await newKey(target);
      return registers(target, `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`, {});
    }),
    refused('403 not-allowed')('a key that makes another', async (target) => {
      const { key: token } = await newKey(target);
      return call(target, '/v1/fleet-keys', { token, body: { fleet: 'atk-fleet' } });
    }),
    attack('a revoked key, and a server that it registered', `${revoked}, ${revoked}`, async (target) => {
      const { key, keyId } = await newKey(target);
      const body = rogueServer({ serverId: 'atk-revoked' });
      const { serverToken: token } = jsonOf<z.infer<typeof ServerRegistered>>(
        await ask(target.url, '/v1/servers', { token: key, body }),
        201,
      );
      await ask(target.url, `/v1/fleet-keys/${keyId}`, { token: target.keys.operator, method: 'DELETE' });
      const beat = { token, body: {} };
      const again = (): Promise<string> => registers(target, key, { serverId: 'atk-revoked-2' });
      const beats = (): Promise<string> => call(target, '/v1/servers/atk-revoked/heartbeat', beat);
      return `${await soon(again)}, ${await soon(beats)}`;
    }),
    unknownCaller('a key that demands signatures, sent instead of signing', capped({ mustSign: true }, {})),
    attack('a signed registration, twice', '201, 409 request-replayed', async (target) => {
      const { key } = await newKey(target, { mustSign: true });
      const request = await signed(target, key, { body: rogueServer({ serverId: 'atk-twice' }) });
      const once = (): Promise<string> => call(target, '/v1/servers', request);
      return `${await once()}, ${await once()}`;
    }),
    attack('a signed heartbeat, twice', '200, 409 request-replayed', async (target) => {
      const serverId = 'atk-beats';
      const { key, token } = await signingServer(target, serverId);
      const path = `/v1/servers/${serverId}/heartbeat`;
      const request = await signed(target, key, { path, token, serverId, body: {} });
      const once = (): Promise<string> => call(target, path, request);
      return `${await once()}, ${await once()}`;
    }),
    unknownCaller('the token of a server that signs, without a signature', async (target) => {
      const { token } = await signingServer(target, 'atk-bare');
      return call(target, '/v1/servers/atk-bare/heartbeat', { token, body: {} });
    }),
    unknownCaller('a signature of another body', signs({}, { raw: '{}' })),
    unknownCaller('a signature of another path', signs({ path: '/v1/servers/atk-signs/heartbeat' })),
    unknownCaller('a signature of another method', signs({ method: 'PUT' }, { method: 'POST' })),
    unknownCaller('a signature of two minutes ago', signs({ now: () => Date.now() - 120_000 })),
    unknownCaller('a signature of two minutes ahead', signs({ now: () => Date.now() + 120_000 })),
  ],
};
