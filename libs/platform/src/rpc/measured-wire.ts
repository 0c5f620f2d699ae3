import type { Meter } from '@muster/contracts';
import { RpcNotFound, RpcUnavailable, type RpcCaller } from './rpc.js';
import type { RpcWire } from './rpc-wire.js';

/** A wire whose calls are counted and timed. */
export function measuredWire(wire: RpcWire, meter: Meter): RpcWire {
  return {
    serve: (of, host, port) => wire.serve(of, host, port),
    connect: (of, target) => measured(wire.connect(of, target), of.service, meter),
  };
}

function measured(caller: RpcCaller, service: string, meter: Meter): RpcCaller {
  return {
    async call<Request, Reply>(name: string, request: Request, deadlineMs: number): Promise<Reply> {
      const method = `${service}.${name}`;
      const since = performance.now();
      let outcome = 'ok';
      try {
        return await caller.call<Request, Reply>(name, request, deadlineMs);
      } catch (error) {
        outcome = outcomeOf(error);
        throw error;
      } finally {
        meter.count('rpcCalls', { method, outcome });
        meter.observe('rpcDuration', { method }, (performance.now() - since) / 1_000);
      }
    },
    reachable: (deadlineMs) => caller.reachable(deadlineMs),
    close: () => caller.close(),
  };
}

function outcomeOf(error: unknown): string {
  if (error instanceof RpcUnavailable) return 'unavailable';
  return error instanceof RpcNotFound ? 'not-found' : 'failed';
}
