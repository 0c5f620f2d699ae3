import { describe, expect, it } from 'vitest';
import { replicaEnv } from './services.js';

describe('the environment of a single replica', () => {
  const env = { MUSTER_REPLICA_ENV: '{"allocator-1":{"FAKETIME":"+300s"}}' };

  it('is given to that replica alone', () => {
    expect(replicaEnv('allocator-1', env)).toEqual({ FAKETIME: '+300s' });
    expect(replicaEnv('allocator-2', env)).toEqual({});
    expect(replicaEnv('constructor', env)).toEqual({});
    expect(replicaEnv('allocator-1', {})).toEqual({});
  });

  it.each(['{', '[]', '{"allocator-1":3}', '{"allocator-1":{"FAKETIME":300}}'])('%s is refused', (text) => {
    expect(() => replicaEnv('allocator-1', { MUSTER_REPLICA_ENV: text })).toThrow(
      /MUSTER_REPLICA_ENV is JSON/,
    );
  });
});
