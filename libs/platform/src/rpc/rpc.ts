import {
  Client,
  credentials,
  loadPackageDefinition,
  Metadata,
  status,
  type ChannelCredentials,
  type ServerCredentials,
  type ServerInterceptor,
  type ServiceClientConstructor,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { rpcMostBytes } from '@muster/contracts';
import { Transport, type GrpcOptions } from '@nestjs/microservices';
import { createRequire } from 'node:module';
import { withProof } from './rpc-guard.js';

const require = createRequire(import.meta.url);

/** The path of a .proto file of `@muster/contracts`. */
export function protoPath(file: string): string {
  return require.resolve(`@muster/contracts/proto/${file}`);
}

const loader = { keepCase: false, longs: Number, defaults: true, arrays: true };

export interface RpcService {
  readonly package: string;
  readonly service: string;
  readonly proto: string;
}

/**
 * The age at which a server ends a connection, in milliseconds. Its calls are finished. A client looks the name of a
 * service up again only when a connection ends, so this is how it finds new replicas.
 */
const connectionAgeMs = 30_000;

/** The most calls of a connection, and its memory in MB: whoever connects cannot hold more. */
const [callsOfConnection, memoryOfConnection] = [1_000, 64];

/** What a server puts before its methods. */
export interface RpcServerOptions {
  /** The first of them sees a call first. */
  readonly interceptors?: readonly ServerInterceptor[];
  readonly credentials?: ServerCredentials;
}

/** The options of a Nest gRPC server for a service. */
export function grpcServer(
  of: RpcService,
  host: string,
  port: number,
  { interceptors = [], credentials: own }: RpcServerOptions = {},
): GrpcOptions {
  const url = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const channelOptions = {
    'grpc.max_connection_age_ms': connectionAgeMs,
    'grpc.max_connection_age_grace_ms': connectionAgeMs,
    'grpc.max_receive_message_length': rpcMostBytes,
    'grpc.max_concurrent_streams': callsOfConnection,
    'grpc-node.max_session_memory': memoryOfConnection,
    ...(interceptors.length > 0 ? { interceptors: [...interceptors] } : {}),
  };
  return {
    transport: Transport.GRPC,
    options: {
      package: of.package,
      protoPath: protoPath(of.proto),
      url,
      loader,
      channelOptions,
      ...(own ? { credentials: own } : {}),
    },
  };
}

/** No replica answered within the deadline, or a store of the service is unavailable. */
export class RpcUnavailable extends Error {}

/** The requested object does not exist; the message says which. */
export class RpcNotFound extends Error {}

/**
 * Round robin over the replicas. An unreachable replica is skipped immediately; one that does not answer for a second
 * is ejected for a while, as long as half of them remain.
 */
const serviceConfig = JSON.stringify({
  loadBalancingConfig: [
    {
      outlier_detection: {
        interval: { seconds: 1, nanos: 0 },
        base_ejection_time: { seconds: 3, nanos: 0 },
        max_ejection_percent: 50,
        failure_percentage_ejection: {
          threshold: 99,
          enforcement_percentage: 100,
          minimum_hosts: 2,
          request_volume: 2,
        },
        child_policy: [{ round_robin: {} }],
      },
    },
  ],
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

/** The share of the deadline that the first replica gets. */
const firstShare = 0.4;

/** The client type of a service, with its calls and their messages. */
export function loadService(of: RpcService): ServiceClientConstructor {
  let found: unknown = loadPackageDefinition(loadSync(protoPath(of.proto), loader));
  for (const part of [...of.package.split('.'), of.service]) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, part) : undefined;
  }
  if (!isConstructor(found)) throw new Error(`${of.proto} has no service ${of.package}.${of.service}`);
  return found;
}

/** Calls a service. Every call has a deadline. */
export interface RpcCaller {
  /**
   * Calls it once, or again where it did not answer: every call is idempotent.
   *
   * @param method as in the .proto file, first letter in lower case
   * @throws RpcUnavailable if the service did not answer within the deadline, RpcNotFound
   */
  call<Request, Reply>(method: string, request: Request, deadlineMs: number): Promise<Reply>;
  /** Resolves when the service is reachable. */
  reachable(deadlineMs: number): Promise<void>;
  close(): void;
}

/** Statuses of a peer that refuses this caller: its key is another, as for a moment of a rotation, or it does not allow the call. */
const refused = new Set([status.UNAUTHENTICATED, status.PERMISSION_DENIED]);

/**
 * Statuses of a peer that did not answer. A peer that stops cancels its calls; clients here never do. One that has too many calls
 * in progress, or another key, did nothing: the same call may succeed later.
 */
const unanswered = new Set([
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
  status.RESOURCE_EXHAUSTED,
  ...refused,
]);

/** The error that a status stands for; undefined for a status without an error of its own. */
export function rpcError(code: status, message: string, cause?: Error): Error | undefined {
  if (unanswered.has(code)) return new RpcUnavailable(message, { cause });
  return code === status.NOT_FOUND ? new RpcNotFound(message, { cause }) : undefined;
}

/** The error of a call that ended with a status. */
export function rpcFailure(error: ServiceError): Error {
  return rpcError(error.code, error.details, error) ?? error;
}

/** How a client proves itself, and what its calls carry. */
export interface RpcClientOptions {
  /** Sent with each call. */
  readonly token?: string;
  /** Further metadata of a call that is made now. */
  readonly metadata?: () => Metadata;
  readonly credentials?: ChannelCredentials;
  /** Told when the service refuses this caller. */
  readonly refused?: (error: ServiceError) => void;
}

/** Calls a gRPC service. */
export class RpcClient implements RpcCaller {
  private readonly client: Client;
  private readonly metadata: () => Metadata;
  /** The last answer, if it refused this caller. */
  private refusal: ServiceError | null = null;

  /** @param target a gRPC target, such as `dns:///rating:50051` or `ipv4:127.0.0.1:5001,127.0.0.1:5002` */
  constructor(
    of: RpcService,
    target: string,
    private readonly options: RpcClientOptions = {},
  ) {
    const { token, metadata = () => new Metadata() } = options;
    this.metadata = token === undefined ? metadata : () => withProof(metadata(), token);
    const Service = loadService(of);
    this.client = new Service(target, options.credentials ?? credentials.createInsecure(), {
      'grpc.service_config': serviceConfig,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1_000,
      // A stopped process keeps its connections, so they are probed, also while idle.
      'grpc.keepalive_time_ms': 2_000,
      'grpc.keepalive_timeout_ms': 1_500,
      'grpc.keepalive_permit_without_calls': 1,
    });
  }

  /** Calls a replica, and another one if that does not answer in its share of the time. */
  async call<Request, Reply>(method: string, request: Request, deadlineMs: number): Promise<Reply> {
    const until = performance.now() + deadlineMs;
    try {
      return await this.ask(method, request, deadlineMs * firstShare);
    } catch (error) {
      const leftMs = until - performance.now();
      if (!(error instanceof RpcUnavailable) || leftMs <= 0) throw error;
      return this.ask(method, request, leftMs);
    }
  }

  /** Resolves when a replica is reachable, and did not refuse the last call of this process. */
  reachable(deadlineMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.client.waitForReady(Date.now() + deadlineMs, (error) => {
        if (error) reject(new RpcUnavailable('no replica can be reached', { cause: error }));
        else if (this.refusal) reject(new RpcUnavailable(`refuses our calls: ${this.refusal.details}`));
        else resolve();
      });
    });
  }

  private ask<Request, Reply>(method: string, request: Request, deadlineMs: number): Promise<Reply> {
    const call: unknown = Reflect.get(this.client, method);
    if (typeof call !== 'function') return Promise.reject(new Error(`there is no call ${method}`));
    return new Promise((resolve, reject) => {
      const answered = (error: ServiceError | null, reply: Reply): void => {
        this.refusal = error && refused.has(error.code) ? error : null;
        if (this.refusal) this.options.refused?.(this.refusal);
        if (error) reject(rpcFailure(error));
        else resolve(reply);
      };
      call.call(this.client, request, this.metadata(), { deadline: Date.now() + deadlineMs }, answered);
    });
  }

  close(): void {
    this.client.close();
  }
}

function isConstructor(value: unknown): value is ServiceClientConstructor {
  return typeof value === 'function' && 'service' in value;
}
