import {
  redisProgram,
  startCluster,
  startSentinel,
  type RedisTopology,
} from '../../support/redis-topologies.js';
import { killMaster } from '../redis-kills.js';
import type { Row } from './row.js';

const starters = { sentinel: startSentinel, cluster: startCluster } as const;

/** The master of a Redis with replicas is killed, and a replica takes its place. What is acknowledged is on both. */
export function failsOver(kind: keyof typeof starters): Row {
  let topology: RedisTopology | undefined;
  return {
    name: `${kind}-fail-over`,
    what: `SIGKILL of the master of a Redis ${kind === 'sentinel' ? 'with three sentinels' : 'Cluster of six servers'}`,
    seconds: 0,
    cannot: async () =>
      (await redisProgram()) === null ? 'neither valkey-server nor redis-server 7.0 is installed' : null,
    surround: async () => {
      const started = await starters[kind]();
      topology = started;
      return { env: { ...started.env, REDIS_WAIT_REPLICAS: '1' }, remove: () => started.stop() };
    },
    begin: async ({ stack, crowd }) => {
      if (!topology) throw new Error('there is no Redis to fail over');
      const { ticketId } = await killMaster(stack, topology);
      crowd.acknowledged.add(ticketId);
      return () => Promise.resolve();
    },
  };
}
