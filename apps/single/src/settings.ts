import { originSettings } from '@muster/edge/origin';
import { hostSettings } from '@muster/platform';

/** The settings of the process itself; each service reads its own beside them. */
export const singleSettings = originSettings.extend(hostSettings.shape);

/** The services listen nowhere and reach each other without an address. */
const unused = {
  HTTP_PORT: '0',
  GRPC_PORT: '0',
  RATING_GRPC: 'in-process',
  ASSIGNMENT_GRPC: 'in-process',
  ALLOCATOR_GRPC: 'in-process',
  GRPC_CA_FILE: '',
  GRPC_CERT_FILE: '',
  GRPC_KEY_FILE: '',
} as const;

/** The environment of the services in this process. */
export function envOfServices(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, ...unused };
}
