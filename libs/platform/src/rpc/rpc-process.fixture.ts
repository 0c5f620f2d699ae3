import { noMeter } from '@muster/contracts';
import { generateKeyPairSync } from 'node:crypto';
import { createLog } from '../core/logging.js';
import type { RpcProcess, RpcSettings } from './rpc-wire.js';

/** A new key of a coordinator. */
export const aCoordinatorKey = (): string =>
  JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));

const shared = aCoordinatorKey();

/** A process of the queue, which may make every call. All of them have the same key. */
export function aProcess({
  settings,
  ...more
}: Partial<Omit<RpcProcess, 'settings'>> & { settings?: Partial<RpcSettings> } = {}): RpcProcess {
  return {
    name: 'queue',
    settings: { COORDINATOR_KEY: shared, GRPC_TOKENS: 'required', ...settings },
    meter: noMeter,
    log: createLog('test', 'silent'),
    traces: null,
    ...more,
  };
}
