import { MusterProblem, ServerClient } from '@muster/sdk';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { allocatorStores } from '../stores/allocator-stores.js';
import { PostgresMatchStore } from '../../apps/assignment/src/forming/match.store.js';
import { aMatch } from '../stores/fixtures.js';
import { migratedDatabase } from '../support/database.js';
import { until } from '../support/gate.js';
import { Happenings } from '../support/happenings.js';
import { AgonesCluster, type GameServerOfCluster } from '../support/hosting/agones-cluster.js';
import { serveGrpc, type RunningAllocator } from '../support/hosting/agones-servers.js';
import { makeCertificates } from '../support/certificates.js';
import type { Stack } from '../support/stack.js';
import { ownReplica, type OwnReplica } from './own-replica.js';
import { sharedStack } from './shared-stack.js';
import { createDb, type Db } from '../support/prisma.js';

const build = '1.4.2';
let folder: string;
let stack: Stack;
let db: Db;
let allocator: OwnReplica;
let service: RunningAllocator;
const cluster = new AgonesCluster();
const changes = new Happenings<GameServerOfCluster>();

beforeAll(async () => {
  stack = await sharedStack();
  folder = await mkdtemp(join(tmpdir(), 'muster-hosting-'));
  const certificates = makeCertificates();
  cluster.add(2, { 'agones.dev/fleet': 'arena', build });
  cluster.onChange = (gameServer) => changes.push({ ...gameServer, labels: { ...gameServer.labels } });
  // The reply to the first request is gone.
  cluster.faults.plan('cut');
  service = await serveGrpc(cluster, certificates);
  const files = {
    'ca.pem': certificates.ca,
    'cert.pem': certificates.client.cert,
    'key.pem': certificates.client.key,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const hosting = {
    providers: {
      agones: {
        kind: 'agones',
        grpc: service.address,
        labels: { 'agones.dev/fleet': 'arena', build: '{build}' },
        ca: `@${join(folder, 'ca.pem')}`,
        cert: `@${join(folder, 'cert.pem')}`,
        key: `@${join(folder, 'key.pem')}`,
      },
    },
    rules: [{ provider: 'agones' }],
  };
  await writeFile(join(folder, 'hosting.json'), JSON.stringify(hosting));
  const databaseUrl = await migratedDatabase(inject('postgresUrl'));
  db = createDb(databaseUrl, { maxConnections: 2 });
  allocator = await ownReplica('allocator', {
    REALM: 'hosting',
    DATABASE_URL: databaseUrl,
    HOSTING_FILE: join(folder, 'hosting.json'),
    SCALE_OUT_BUILDS: build,
    SCALE_OUT_SECONDS: '1',
  });
});
afterAll(async () => {
  allocator?.child.kill('SIGTERM');
  await allocator?.exit;
  await db?.$disconnect();
  await service?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

describe('C18 a match without a server', () => {
  it('gets one from Agones although a reply is lost, and the game server is given back', async () => {
    await new PostgresMatchStore(db).form(aMatch('mat_hosted01', undefined, { build, regions: [] }));
    await allocatorStores(db).placement.begin('mat_hosted01', Date.now());
    const gameServer = await changes.first(() => true);
    const allocation = gameServer.annotations['muster-allocation'] ?? '';
    const sessions = new Happenings<string>();
    const client = (serverId: string): ServerClient =>
      new ServerClient(
        {
          url: allocator.url,
          serverKey: stack.run.serverKey,
          server: {
            serverId,
            region: 'eu',
            build,
            host: gameServer.address,
            port: gameServer.port,
            slots: 1,
            allocation,
          },
        },
        { createSession: async (sessionId) => sessions.push(sessionId), endSession: () => undefined },
      );
    const server = client(gameServer.name);
    await server.start();
    const surplus = await client('surplus')
      .start()
      .catch((error: unknown) => error);
    expect(surplus).toBeInstanceOf(MusterProblem);
    expect(surplus).toMatchObject({ status: 409, code: 'allocation-taken' });

    await server.report(await sessions.first(() => true), { winner: 0 });
    await server.stop();
    cluster.shutDown(gameServer);
    await until(async () => (await db.allocation.count({ where: { state: 'released' } })) === 1);
    expect(await db.allocation.findMany()).toMatchObject([
      { id: allocation, provider: 'agones', build, serverId: gameServer.name },
    ]);
    expect(new Set(changes.all.map(({ name }) => name)).size).toBe(1);
    expect(cluster.allocated).toEqual([]);
    expect(cluster.invalid).toEqual([]);
    await expect(client('late').start()).rejects.toMatchObject({ status: 410, code: 'allocation-over' });
  });
});
