import { noMeter } from '@muster/contracts';
import { createLog, grpcWire, type RpcSettings, type RpcWire } from '@muster/platform';
import { generateKeyPairSync } from 'node:crypto';

const COORDINATOR_KEY = JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));

/** gRPC of a service whose key all services of the test have. */
export function testWire(name = 'queue', settings: Partial<RpcSettings> = {}): RpcWire {
  const log = createLog(name, 'silent');
  return grpcWire({
    name,
    settings: { COORDINATOR_KEY, GRPC_TOKENS: 'required', ...settings },
    meter: noMeter,
    log,
    traces: null,
  });
}
