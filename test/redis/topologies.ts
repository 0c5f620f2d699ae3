import { readRedisTarget, type RedisTarget } from '@muster/redis';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  makeCertificates,
  redisProgram,
  startCluster,
  startSentinel,
  startSingle,
  type RedisTopology,
  type Security,
} from '../support/redis-topologies.js';
import { aclRules } from './acl.js';

/** A running topology and how services connect to it. */
export interface Given {
  readonly topology: RedisTopology;
  readonly target: RedisTarget;
  stop(): Promise<void>;
}

export const hasRedis = (await redisProgram()) !== null;
const directory = await mkdtemp(join(tmpdir(), 'muster-certificates-'));
export const certificates = await makeCertificates(directory);
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
export const hasCertificates = certificates !== null;

/** What is said of tests that cannot run. */
export const skips = '(skipped: needs valkey-server or redis-server, 7.0 or newer, and openssl on the PATH)';

const username = 'muster';
/** It has to be encoded in a URL. */
const password = 'p@ss/word:%';

async function given(
  start: (security: Security) => Promise<RedisTopology>,
  security: Security,
  settings: Readonly<Record<string, string>> = {},
): Promise<Given> {
  const topology = await start(security);
  const target = readRedisTarget({ ...topology.env, ...settings });
  return { topology, target, stop: () => topology.stop() };
}

/** Encrypted, with a user that may do what the documentation lists, and nothing else. */
const secured = (start: (security: Security) => Promise<RedisTopology>) => (): Promise<Given> => {
  const lines = [`user ${username} on >${password} ${aclRules('default*')}`];
  return given(
    start,
    { ...(certificates ? { tls: certificates } : {}), lines },
    { REDIS_USERNAME: username, REDIS_PASSWORD: password },
  );
};

/** The topologies under test, by name. */
export const topologies: Readonly<Record<string, () => Promise<Given>>> = {
  Sentinel: () => given(startSentinel, {}),
  'a Cluster': () => given(startCluster, {}),
  'one server with TLS and an ACL user': secured(startSingle),
  'Sentinel with TLS and an ACL user': secured(startSentinel),
  'a Cluster with TLS and an ACL user': secured(startCluster),
};
