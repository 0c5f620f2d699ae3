import { traced, type Traces } from '@muster/contracts';
import type { RpcCaller } from './rpc.js';
import type { RpcWire } from './rpc-wire.js';

/** A wire whose calls are spans of the trace in whose work they are made. Calls of no trace begin none. */
export function tracedWire(wire: RpcWire, traces: Traces): RpcWire {
  return {
    serve: (of, host, port) => wire.serve(of, host, port),
    connect: (of, target) => tracedCaller(wire.connect(of, target), `${of.package}.${of.service}`, traces),
  };
}

function tracedCaller(caller: RpcCaller, service: string, traces: Traces): RpcCaller {
  return {
    call<Request, Reply>(name: string, request: Request, deadlineMs: number): Promise<Reply> {
      const call = (): Promise<Reply> => caller.call<Request, Reply>(name, request, deadlineMs);
      if (!traces.active) return call();
      const path = `${service}/${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      return traced(traces, path, { kind: 'client', attributes: { 'rpc.system': 'grpc' } }, call);
    },
    reachable: (deadlineMs) => caller.reachable(deadlineMs),
    close: () => caller.close(),
  };
}
