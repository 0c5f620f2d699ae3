import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CoordinatorIds } from './coordinator-ids.js';
import { ids } from '../core/ids.js';

const keyOf = (): string =>
  JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
const coordinatorKey = keyOf();
const now = Date.parse('2026-11-23T12:00:00.500Z');
const made = new CoordinatorIds(coordinatorKey, () => now, ids);

describe('ids of tickets', () => {
  it('are recognised by every replica, and tell when the ticket was created', () => {
    const other = new CoordinatorIds(coordinatorKey, () => 0, ids);
    const id = made.make('tkt');
    expect(id).toMatch(/^tkt_[\w-]{22}$/);
    expect(other.read(id)).toEqual({ createdAt: now - 500 });
    const derived = made.derive('tkt', 'ann, key 1');
    expect(other.derive('tkt', 'ann, key 1')).toBe(derived);
    expect(made.derive('tkt', 'ann, key 2')).not.toBe(derived);
    expect(other.read(derived)).toEqual({ createdAt: null });
  });

  it('are not those that somebody made up, changed, or that have another key or kind', () => {
    const id = made.make('tkt');
    const flip = (at: number): string => id.slice(0, at) + (id[at] === 'A' ? 'B' : 'A') + id.slice(at + 1);
    const others = [
      ids.make('tkt'),
      ids.derive('tkt', 'ann'),
      made.make('mat').replace('mat_', 'tkt_'),
      new CoordinatorIds(keyOf(), () => now, ids).make('tkt'),
      flip(4),
      flip(20),
      `${id}A`,
      id.slice(0, -1),
      'tkt_',
      'tkt',
      '',
      `${id}=`,
    ];
    expect(others.filter((other) => made.read(other) !== null)).toEqual([]);
  });

  it('are different for each ticket', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => made.make('tkt'))).size).toBe(1_000);
  });
});
