import { embeddedPostgres, embeddedRedis, freePort, Supervisor } from '@muster/embedded';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReplyDropper } from '../../support/reply-dropper.js';
import type { Row, Surroundings } from './row.js';

type Store = 'postgres' | 'redis';

const seconds = 15;
const startsWithinMs = 60_000;

/** The network delivers every request to a store, and loses replies for a while. */
export function dropsReplies(store: Store): Row {
  let proxy: ReplyDropper | undefined;
  return {
    name: `${store}-drops-replies`,
    what: `replies of ${store} are lost after it has carried out the request, for ${seconds} s`,
    seconds,
    surround: async () => {
      const around = await storesBehindProxy(store);
      proxy = around.proxy;
      return around;
    },
    begin: async () => {
      const end = proxy?.drop();
      return async () => {
        end?.();
        if (proxy?.dropped === 0) throw new Error(`no reply of ${store} was dropped`);
      };
    },
  };
}

/** Starts both stores, one of them behind a proxy. */
async function storesBehindProxy(store: Store): Promise<Surroundings & { readonly proxy: ReplyDropper }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-stores-'));
  const log = (): void => undefined;
  const supervisor = new Supervisor(dataDir, log, log);
  const ports = { redis: await freePort(), postgres: await freePort() };
  const redis = await embeddedRedis({ dataDir, port: ports.redis, log });
  const postgres = await embeddedPostgres({ dataDir, port: ports.postgres, log });
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), startsWithinMs);
  for (const each of [redis, postgres]) await supervisor.start(each.process, patience.signal);
  clearTimeout(timer);
  const proxy = await ReplyDropper.start(ports[store]);
  const through = (url: string, name: Store): string => {
    const address = new URL(url);
    if (name === store) address.port = String(proxy.port);
    return address.href;
  };
  return {
    proxy,
    env: { REDIS_URL: through(redis.url, 'redis'), DATABASE_URL: through(postgres.url, 'postgres') },
    remove: async () => {
      await proxy.stop();
      await supervisor.stopAll([['redis', 'postgres']]);
      await rm(dataDir, { recursive: true, force: true });
      await rm(postgres.directory, { recursive: true, force: true });
    },
  };
}
