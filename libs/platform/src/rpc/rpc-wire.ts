import type { CustomStrategy, GrpcOptions } from '@nestjs/microservices';
import { grpcServer, RpcClient, type RpcCaller, type RpcService } from './rpc.js';
import { token } from '../core/construct.js';

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
  serve: grpcServer,
  connect: (of, target) => new RpcClient(of, target),
};
