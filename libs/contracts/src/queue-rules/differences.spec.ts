import type { QueueRules } from '@muster/domain/schemas';
import { describe, expect, it } from 'vitest';
import { differencesBetween, differenceText } from './differences.js';

const curve = [
  { afterSeconds: 0, limit: 4 },
  { afterSeconds: 5, limit: 8 },
  { afterSeconds: 20, limit: 20 },
  { afterSeconds: 45, limit: null },
];
const rules: QueueRules = {
  name: '5v5',
  mode: 'arena',
  pool: 'default',
  teams: 2,
  teamSize: 5,
  maxPartySize: 5,
  skillWindow: curve,
  teamGap: curve,
  latencyLimitMs: curve,
  ticketTtlSeconds: 600,
  placementTimeoutSeconds: 300,
};
const lines = (after: Partial<QueueRules>, before: QueueRules = rules): string[] =>
  differencesBetween(before, { ...before, ...after }).map(differenceText);

describe('differencesBetween', () => {
  it('finds none in equal rules, in any order', () => {
    expect(lines({})).toEqual([]);
    const turned = Object.fromEntries(Object.entries(rules).toReversed());
    expect(lines({ ...turned, bots: undefined })).toEqual([]);
  });

  it('has path, old and new value of each difference', () => {
    const skillWindow = rules.skillWindow.map((corner, i) => (i === 1 ? { ...corner, limit: 6 } : corner));
    expect(lines({ maxPartySize: 3, skillWindow })).toEqual([
      '5v5.maxPartySize: 5 -> 3',
      '5v5.skillWindow[1].limit: 8 -> 6',
    ]);
    expect(lines({ mode: 'duel' })).toEqual(['5v5.mode: "arena" -> "duel"']);
  });

  it('reports added and removed objects as a whole', () => {
    const bots = { afterSeconds: 60, skill: 20, minPlayers: 4 };
    const told = '{"afterSeconds":60,"skill":20,"minPlayers":4}';
    expect(lines({ bots })).toEqual([`5v5.bots: none -> ${told}`]);
    expect(lines({ bots: undefined }, { ...rules, bots })).toEqual([`5v5.bots: ${told} -> none`]);
    expect(lines({ skillWindow: rules.skillWindow.slice(0, 3) })).toEqual([
      '5v5.skillWindow[3]: {"afterSeconds":45,"limit":null} -> none',
    ]);
    expect(lines({ roles: { 'a.b': 1 } }, { ...rules, roles: {} })).toEqual(['5v5.roles["a.b"]: none -> 1']);
  });
});
