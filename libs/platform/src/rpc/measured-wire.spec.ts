import { noMeter, type Meter } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { measuredWire } from './measured-wire.js';
import { RpcNotFound, RpcUnavailable, type RpcCaller } from './rpc.js';
import { InProcessWire } from './rpc-in-process.js';

describe('a measured wire', () => {
  it('counts calls by method and outcome, times them, and passes errors on', async () => {
    const counted: unknown[] = [];
    const timed: string[] = [];
    const meter: Meter = {
      ...noMeter,
      count: (_figure, labels) => void counted.push(labels),
      observe: (figure) => void timed.push(figure),
    };
    const errors = [null, new RpcUnavailable('away'), new RpcNotFound('none'), new Error('broken')];
    const caller = {
      async call() {
        const error = errors.shift();
        if (error) throw error;
        return 'reply';
      },
    } as Pick<RpcCaller, 'call'> as RpcCaller;
    const service = { package: 'muster', service: 'Rating', proto: 'rating.proto' };
    const rating = measuredWire({ serve: new InProcessWire().serve, connect: () => caller }, meter).connect(
      service,
      'target',
    );
    expect(await rating.call('read', {}, 100)).toBe('reply');
    for (const message of ['away', 'none', 'broken'])
      await expect(rating.call('read', {}, 100)).rejects.toThrow(message);
    expect(counted).toEqual(
      ['ok', 'unavailable', 'not-found', 'failed'].map((outcome) => ({ method: 'Rating.read', outcome })),
    );
    expect(timed).toEqual(Array.from({ length: 4 }, () => 'rpcDuration'));
  });
});
