import type { Traces } from '@muster/contracts';
import type { CustomStrategy, GrpcOptions } from '@nestjs/microservices';
import { grpcServer, RpcClient, type RpcCaller, type RpcService } from './rpc.js';
import { token } from '../core/construct.js';
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

/** gRPC between processes. */
export const grpcWire: RpcWire = {
  serve: (of, host, port) => grpcServer(of, host, port),
  connect: (of, target) => new RpcClient(of, target),
};

/** The same, carrying the trace in whose work a call is. */
export const tracedGrpcWire = (traces: Traces): RpcWire => ({
  serve: (of, host, port) => grpcServer(of, host, port, [tracedAnswers(traces)]),
  connect: (of, target) => new RpcClient(of, target, () => traceMetadata(traces)),
});
