import { describe, expect, it } from 'vitest';
import { conditionOf, wantedOf, type Server } from './server-state.js';

const server = (serverId: string, some: Partial<Server> = {}): Server => ({
  serverId,
  region: 'eu',
  build: '1',
  fleet: 'default',
  host: 'a.example',
  port: 7000,
  slots: 4,
  slotsInUse: 0,
  labels: {},
  state: 'ready',
  cpuLoad: 0,
  tickLoad: null,
  overloaded: false,
  heartbeatAt: 0,
  silent: false,
  ...some,
});

describe('the condition of a server', () => {
  it('is what keeps matches from it', () => {
    expect(conditionOf(server('a'))).toBe('ready');
    expect(conditionOf(server('a', { overloaded: true }))).toBe('overloaded');
    expect(conditionOf(server('a', { overloaded: true, silent: true }))).toBe('silent');
    expect(conditionOf(server('a', { overloaded: true, state: 'draining' }))).toBe('draining');
    expect(conditionOf(server('a', { silent: true, state: 'lost' }))).toBe('lost');
  });
});

describe('servers that are looked for', () => {
  const servers = [
    server('eu-1'),
    server('eu-2', { state: 'draining', build: '2' }),
    server('us-1', { region: 'us', overloaded: true, labels: { modes: ['Duel'] } }),
    server('us-2', { region: 'us', state: 'lost' }),
  ];
  const idsOf = (wanted: Parameters<typeof wantedOf>[1]): string[] =>
    wantedOf(servers, wanted).map(({ serverId }) => serverId);

  it('are there, unless others are asked for', () => {
    expect(idsOf({})).toEqual(['eu-1', 'eu-2', 'us-1']);
    expect(idsOf({ state: 'all' })).toHaveLength(4);
    expect(idsOf({ state: 'lost' })).toEqual(['us-2']);
    expect(idsOf({ state: 'overloaded' })).toEqual(['us-1']);
    expect(idsOf({ state: 'silent' })).toEqual([]);
  });

  it('are of the region and the build, and have the text', () => {
    expect(idsOf({ region: 'eu', build: '2' })).toEqual(['eu-2']);
    expect(idsOf({ text: 'duel' })).toEqual(['us-1']);
    expect(idsOf({ text: 'EU-' })).toEqual(['eu-1', 'eu-2']);
    expect(idsOf({ text: 'a.example:7000' })).toHaveLength(3);
  });
});
