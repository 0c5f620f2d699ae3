import { readRedisTarget, type RedisTarget } from '@muster/redis';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAuthority } from '../support/certificates.js';
import {
  redisProgram,
  startCluster,
  startSentinel,
  startSingle,
  type CertificateFiles,
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

function writeCertificates(): CertificateFiles {
  const directory = mkdtempSync(join(tmpdir(), 'muster-certificates-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const authority = makeAuthority('Test authority');
  // Nodes of a Cluster are servers and clients of each other, with one certificate.
  const { cert, key } = authority.issue('redis', { client: true, server: ['127.0.0.1', 'redis.test'] });
  const write = (name: string, text: string): string => {
    const file = join(directory, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  return {
    ca: write('ca.crt', authority.cert),
    cert: write('redis.crt', cert),
    key: write('redis.key', key),
  };
}

export const certificates = writeCertificates();

/** What is said of tests that cannot run. */
export const skips = '(skipped: needs valkey-server or redis-server, 7.0 or newer, on the PATH)';

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
  return given(start, { tls: certificates, lines }, { REDIS_USERNAME: username, REDIS_PASSWORD: password });
};

/** The topologies under test, by name. */
export const topologies: Readonly<Record<string, () => Promise<Given>>> = {
  Sentinel: () => given(startSentinel, {}),
  'a Cluster': () => given(startCluster, {}),
  'one server with TLS and an ACL user': secured(startSingle),
  'Sentinel with TLS and an ACL user': secured(startSentinel),
  'a Cluster with TLS and an ACL user': secured(startCluster),
};
