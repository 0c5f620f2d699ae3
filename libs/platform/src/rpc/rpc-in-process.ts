import { Metadata, status, type MethodDefinition, type ServiceError } from '@grpc/grpc-js';
import { GrpcMethodStreamingType, Server, Transport, type CustomStrategy } from '@nestjs/microservices';
import { firstValueFrom } from 'rxjs';
import { within } from '../core/within.js';
import { loadService, rpcFailure, type RpcCaller, type RpcService } from './rpc.js';
import type { RpcWire } from './rpc-wire.js';

/** A call of the .proto file, with the converters of its messages. */
type Method = MethodDefinition<object, object>;

/** The calls of a service by name, first letter in lower case. */
function methodsOf(of: RpcService): ReadonlyMap<string, Method> {
  const methods = Object.entries(loadService(of).service as Readonly<Record<string, Method>>);
  return new Map(methods.map(([name, method]) => [name.charAt(0).toLowerCase() + name.slice(1), method]));
}

const nameOf = (of: RpcService): string => `${of.package}.${of.service}`;

/**
 * Connects services of one process. Messages are converted to their wire form and back, so both sides see the same
 * values as with gRPC, such as defaults for absent fields, and share no objects. Deadlines and status codes are those of
 * gRPC.
 */
export class InProcessWire implements RpcWire {
  private readonly servers = new Map<string, InProcessServer>();

  serve(of: RpcService): CustomStrategy {
    const name = nameOf(of);
    const strategy: InProcessServer = new InProcessServer(of, (isServed) => {
      if (isServed) this.servers.set(name, strategy);
      else this.servers.delete(name);
    });
    return { strategy };
  }

  connect(of: RpcService): RpcCaller {
    return new InProcessClient(of, () => this.servers.get(nameOf(of)) ?? null);
  }
}

/** A Nest server for the methods that are decorated with `GrpcMethod`. */
class InProcessServer extends Server {
  // Nest registers gRPC handlers with servers of this id alone.
  override readonly transportId = Transport.GRPC;

  constructor(
    private readonly of: RpcService,
    private readonly served: (isServed: boolean) => void,
  ) {
    super();
  }

  listen(callback: () => void): void {
    this.served(true);
    callback();
  }

  close(): void {
    this.served(false);
  }

  on(): void {
    throw new Error('A server within a process has no events.');
  }

  unwrap<T>(): T {
    throw new Error('A server within a process has no driver.');
  }

  /** @throws the handler's error, or one with the status UNIMPLEMENTED */
  async answer(rpc: string, request: object): Promise<object> {
    const { service } = this.of;
    const streaming = GrpcMethodStreamingType.NO_STREAMING;
    const handler = this.messageHandlers.get(this.normalizePattern({ service, rpc, streaming }));
    if (!handler) throw { code: status.UNIMPLEMENTED, message: `The service does not implement ${rpc}.` };
    return (await firstValueFrom(this.transformToObservable(await handler(request)))) as object;
  }
}

class InProcessClient implements RpcCaller {
  private readonly methods: ReadonlyMap<string, Method>;
  private closed = false;

  constructor(
    private readonly of: RpcService,
    private readonly server: () => InProcessServer | null,
  ) {
    this.methods = methodsOf(of);
  }

  async call<Request, Reply>(name: string, request: Request, deadlineMs: number): Promise<Reply> {
    const method = this.methods.get(name);
    if (!method) throw new Error(`there is no call ${name}`);
    const server = this.reached();
    // Converted before the first wait: the caller may change its object afterwards.
    const sent = method.requestSerialize(request as object);
    const reply = await within(deadlineMs, answerOf(server, method, sent), () =>
      rpcFailure(
        errorOf({
          code: status.DEADLINE_EXCEEDED,
          details: `Deadline exceeded after ${deadlineMs} ms`,
        }),
      ),
    );
    return method.responseDeserialize(reply) as Reply;
  }

  async reachable(): Promise<void> {
    this.reached();
  }

  close(): void {
    this.closed = true;
  }

  private reached(): InProcessServer {
    const server = this.closed ? null : this.server();
    if (!server)
      throw rpcFailure(
        errorOf({ code: status.UNAVAILABLE, details: `${this.of.service} is not served in this process` }),
      );
    return server;
  }
}

/** The reply in its wire form. */
async function answerOf(server: InProcessServer, method: Method, sent: Buffer): Promise<Buffer> {
  try {
    // As over a network, the caller goes on before the handler starts.
    await Promise.resolve();
    const name = method.path.slice(method.path.lastIndexOf('/') + 1);
    return method.responseSerialize(await server.answer(name, method.requestDeserialize(sent)));
  } catch (error) {
    throw rpcFailure(errorOf(statusOf(error)));
  }
}

interface Status {
  readonly code: status;
  readonly details: string;
}

/** The status of a handler's error, by the rules of a gRPC server. */
function statusOf(error: unknown): Status {
  if (typeof error !== 'object' || error === null) return { code: status.UNKNOWN, details: 'Unknown Error' };
  const read = (name: string): unknown => Reflect.get(error, name);
  const [code, message, details] = [read('code'), read('message'), read('details')];
  const text = typeof message === 'string' ? message : 'Unknown Error';
  if (!Number.isInteger(code)) return { code: status.UNKNOWN, details: text };
  return { code: code as status, details: typeof details === 'string' ? details : text };
}

/** The error of a gRPC client. */
function errorOf({ code, details }: Status): ServiceError {
  return Object.assign(new Error(`${code} ${status[code]}: ${details}`), {
    code,
    details,
    metadata: new Metadata(),
  });
}
