import {
  Client,
  credentials,
  loadPackageDefinition,
  status,
  type ServiceClientConstructor,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { Transport, type GrpcOptions } from '@nestjs/microservices';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Where a .proto file of `@muster/contracts` lies. */
export function protoPath(file: string): string {
  return require.resolve(`@muster/contracts/proto/${file}`);
}

const loader = { keepCase: false, longs: Number, defaults: true, arrays: true };

export interface RpcService {
  readonly package: string;
  readonly service: string;
  readonly proto: string;
}

/** Options of a Nest gRPC server for a service. */
export function grpcServer(of: RpcService, host: string, port: number): GrpcOptions {
  return {
    transport: Transport.GRPC,
    options: { package: of.package, protoPath: protoPath(of.proto), url: `${host}:${port}`, loader },
  };
}

/** The other side did not answer in time, or is not there. */
export class RpcUnavailable extends Error {}

/** The other side knows no such thing, and says so in words. */
export class RpcNotFound extends Error {}

/** Round robin over the replicas; a replica that went away is passed over at once. */
const serviceConfig = JSON.stringify({
  loadBalancingConfig: [{ round_robin: {} }],
  methodConfig: [
    {
      name: [{}],
      retryPolicy: {
        maxAttempts: 4,
        initialBackoff: '0.02s',
        maxBackoff: '0.2s',
        backoffMultiplier: 2,
        retryableStatusCodes: ['UNAVAILABLE'],
      },
    },
  ],
});

/** Calls a gRPC service. Every call carries a deadline. */
export class RpcClient {
  private readonly client: Client;

  /** @param target a gRPC target, such as `dns:///rating:50051` or `ipv4:127.0.0.1:5001,127.0.0.1:5002` */
  constructor(of: RpcService, target: string) {
    let found: unknown = loadPackageDefinition(loadSync(protoPath(of.proto), loader));
    for (const part of [...of.package.split('.'), of.service]) {
      found = typeof found === 'object' && found !== null ? Reflect.get(found, part) : undefined;
    }
    if (!isConstructor(found)) throw new Error(`${of.proto} has no service ${of.package}.${of.service}`);
    this.client = new found(target, credentials.createInsecure(), {
      'grpc.service_config': serviceConfig,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1_000,
      'grpc.keepalive_time_ms': 10_000,
      'grpc.keepalive_timeout_ms': 2_000,
    });
  }

  /**
   * @param method as in the .proto file, first letter small
   * @throws RpcUnavailable when there was no answer within the deadline, RpcNotFound
   */
  call<Request, Reply>(method: string, request: Request, deadlineMs: number): Promise<Reply> {
    const call: unknown = Reflect.get(this.client, method);
    if (typeof call !== 'function') return Promise.reject(new Error(`there is no call ${method}`));
    return new Promise((resolve, reject) => {
      const answered = (error: ServiceError | null, reply: Reply): void => {
        if (!error) return resolve(reply);
        const away = error.code === status.UNAVAILABLE || error.code === status.DEADLINE_EXCEEDED;
        if (away) reject(new RpcUnavailable(error.details, { cause: error }));
        else if (error.code === status.NOT_FOUND) reject(new RpcNotFound(error.details, { cause: error }));
        else reject(error);
      };
      call.call(this.client, request, { deadline: Date.now() + deadlineMs }, answered);
    });
  }

  close(): void {
    this.client.close();
  }
}

function isConstructor(value: unknown): value is ServiceClientConstructor {
  return typeof value === 'function' && 'service' in value;
}
