import { Client, credentials, status, type ServiceError } from '@grpc/grpc-js';
import { fromJSON, type MethodDefinition } from '@grpc/proto-loader';
import { noneFound, type AgonesReply, type AgonesRequest, type AgonesResponse } from './agones.js';
import type { AgonesAllocator } from './agones-provider.js';
import { agonesSchema } from './agones-schema.client.js';

/** The certificates of mutual TLS, as PEM texts. */
export interface MutualTls {
  /** Of the authority that signed the server's certificate; absent: those that the system trusts. */
  readonly ca?: string | undefined;
  readonly cert: string;
  readonly key: string;
  /** The name in the server's certificate, if it is not that of the address. */
  readonly serverName?: string | undefined;
}

type Allocate = MethodDefinition<object, AgonesResponse>;

function allocateMethod(): Allocate {
  const service = fromJSON(agonesSchema, { enums: String, defaults: true, arrays: true })[
    'allocation.AllocationService'
  ];
  const method: unknown = service && Reflect.get(service, 'Allocate');
  if (!isMethod(method)) throw new Error('the schema of Agones has no method Allocate');
  return method;
}

function isMethod(value: unknown): value is Allocate {
  return typeof value === 'object' && value !== null && 'requestSerialize' in value;
}

/** Calls the allocator service of Agones over gRPC with mutual TLS. */
export class AgonesGrpcAllocator implements AgonesAllocator {
  private readonly client: Client;
  private readonly method = allocateMethod();

  /**
   * @param address host and port
   * @param ending aborts calls when the service stops
   */
  constructor(
    address: string,
    { ca, cert, key, serverName }: MutualTls,
    private readonly timeoutMs: number,
    ending: AbortSignal,
  ) {
    const secure = credentials.createSsl(
      ca === undefined ? null : Buffer.from(ca),
      Buffer.from(key),
      Buffer.from(cert),
    );
    this.client = new Client(address, secure, {
      ...(serverName === undefined ? {} : { 'grpc.ssl_target_name_override': serverName }),
      // A call that fails for want of a connection is repeated by its allocation, not here.
      'grpc.enable_retries': 0,
      'grpc.max_receive_message_length': 1_048_576,
    });
    ending.addEventListener('abort', () => this.client.close(), { once: true });
  }

  allocate(request: AgonesRequest): Promise<AgonesReply> {
    const { path, requestSerialize, responseDeserialize } = this.method;
    return new Promise((resolve) => {
      const done = (error: ServiceError | null, response?: AgonesResponse): void =>
        resolve(error ? replyOf(error) : { kind: 'allocated', response: response ?? {} });
      try {
        this.client.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          request,
          { deadline: Date.now() + this.timeoutMs },
          done,
        );
      } catch (error) {
        resolve({
          kind: 'error',
          error: error instanceof Error ? error.message : String(error),
          retryAfterMs: null,
        });
      }
    });
  }
}

function replyOf({ code, details }: ServiceError): AgonesReply {
  if (noneFound.test(details)) return { kind: 'none' };
  const name = status[code] ?? String(code);
  return { kind: 'error', error: `the Agones allocator answered ${name}: ${details}`, retryAfterMs: null };
}
