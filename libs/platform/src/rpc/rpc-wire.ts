import type { Meter, Traces } from '@muster/contracts';
import type { CustomStrategy, GrpcOptions } from '@nestjs/microservices';
import { grpcServer, RpcClient, type RpcCaller, type RpcService } from './rpc.js';
import { token } from '../core/construct.js';
import { ErrorLog } from '../core/error-log.js';
import type { Log } from '../core/logging.js';
import { guardedAnswers } from './rpc-guard.js';
import {
  clientCredentials,
  readRpcTls,
  serverCredentials,
  type RpcTls,
  type RpcTlsSettings,
} from './rpc-tls.js';
import { RpcTokens } from './rpc-tokens.js';
import { tracedAnswers, traceMetadata } from './trace-metadata.js';

/** The way in which services ask each other. */
export interface RpcWire {
  /** The options of a Nest server for a service. */
  serve(of: RpcService, host: string, port: number): GrpcOptions | CustomStrategy;
  /** @param target a gRPC target; see `RpcClient` */
  connect(of: RpcService, target: string): RpcCaller;
}

/** The wire of this process, for the clients of other services. */
export const RPC = token<RpcWire>('RPC wire');

/** The settings of gRPC that all services share. */
export interface RpcSettings extends RpcTlsSettings {
  readonly COORDINATOR_KEY: string;
  readonly GRPC_TOKENS: 'required' | 'optional';
}

/** What gRPC between processes needs to know of this one. */
export interface RpcProcess {
  /** The name of the service. */
  readonly name: string;
  readonly settings: RpcSettings;
  readonly meter: Meter;
  readonly log: Pick<Log, 'warn'>;
  /** Calls carry the trace in whose work they are made; null where no traces are made. */
  readonly traces: Traces | null;
}

const services = ['queue', 'assignment', 'allocator', 'rating'];

/**
 * gRPC between processes. Both sides prove who they are: callers by a token, and where files are set both by certificates.
 *
 * @throws Misconfigured if the files cannot be used
 */
export function grpcWire({ name, settings, meter, log, traces }: RpcProcess): RpcWire {
  const tls: RpcTls | null = readRpcTls(settings);
  const tokens = new RpcTokens(settings.COORDINATOR_KEY, services);
  const own = tokens.of(name);
  const errors = new ErrorLog(log);
  const guard = guardedAnswers({
    tokens,
    isTokenRequired: settings.GRPC_TOKENS === 'required',
    meter,
    refused: (reason) =>
      errors.report('gRPC (refused callers)', reason, 'calls of other programs were refused'),
  });
  return {
    serve: (of, host, port) =>
      grpcServer(of, host, port, {
        interceptors: [guard, ...(traces ? [tracedAnswers(traces)] : [])],
        credentials: serverCredentials(tls),
      }),
    connect: (of, target) =>
      new RpcClient(of, target, {
        metadata: () => traceMetadata(traces),
        token: own,
        credentials: clientCredentials(tls),
        refused: (error) => errors.report(`gRPC (${of.service})`, error, 'a service refuses our calls'),
      }),
  };
}
