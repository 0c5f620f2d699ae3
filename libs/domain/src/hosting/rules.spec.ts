import { describe, expect, it } from 'vitest';
import { choicesFor, serversToAsk, type HostingRoom } from './rules.js';

const rules = [
  { builds: ['1'], regions: ['lan'], provider: 'rack' },
  { regions: ['eu', 'us'], provider: 'agones' },
  { provider: 'hoster' },
];

describe('choicesFor', () => {
  it('takes the first rule that fits, for each region in turn', () => {
    expect(choicesFor(rules, '1', ['us', 'lan', 'asia'])).toEqual([
      { provider: 'agones', region: 'us' },
      { provider: 'rack', region: 'lan' },
      { provider: 'hoster', region: 'asia' },
    ]);
    expect(choicesFor(rules, '2', ['lan'])).toEqual([{ provider: 'hoster', region: 'lan' }]);
  });

  it('takes all rules of the build for a match that may be played anywhere', () => {
    expect(choicesFor(rules, '2', [])).toEqual([
      { provider: 'agones', region: 'eu' },
      { provider: 'hoster', region: null },
    ]);
  });

  it('names a choice once, and none without a rule', () => {
    expect(choicesFor([{ provider: 'p' }, { provider: 'p' }], '1', [])).toEqual([
      { provider: 'p', region: null },
    ]);
    expect(choicesFor([{ builds: ['2'], provider: 'p' }], '1', ['eu'])).toEqual([]);
  });
});

describe('serversToAsk', () => {
  const room = (over: Partial<HostingRoom> = {}): HostingRoom => ({
    provider: 'p',
    region: 'eu',
    slots: 1,
    maxPending: 10,
    open: 0,
    awaited: 0,
    failing: 0,
    refused: 0,
    ...over,
  });

  it.each([
    { says: 'one for each match', rooms: [room()], waiting: 3, counts: [3] },
    { says: 'less those awaited', rooms: [room({ open: 2, awaited: 2 })], waiting: 3, counts: [1] },
    { says: 'none when enough are awaited', rooms: [room({ open: 4, awaited: 4 })], waiting: 3, counts: [0] },
    { says: 'as many slots as matches', rooms: [room({ slots: 4 })], waiting: 9, counts: [3] },
    { says: 'no more than there is room for', rooms: [room({ open: 8 })], waiting: 5, counts: [2] },
    {
      says: 'the rest from the next provider',
      rooms: [room({ open: 8 }), room({ provider: 'q' })],
      waiting: 5,
      counts: [2, 3],
    },
    {
      says: 'the room of a provider once, for two regions',
      rooms: [room({ maxPending: 3 }), room({ maxPending: 3, region: 'us' })],
      waiting: 5,
      counts: [3, 0],
    },
    {
      says: 'what fails from the next provider, and not again',
      rooms: [room({ open: 2, failing: 2 }), room({ provider: 'q' })],
      waiting: 2,
      counts: [0, 2],
    },
    {
      says: 'what was refused from the next provider, and not again',
      rooms: [room({ refused: 2 }), room({ provider: 'q' })],
      waiting: 2,
      counts: [0, 2],
    },
    {
      says: 'no more than there is room for with what was refused',
      rooms: [room({ refused: 8 }), room({ provider: 'q', maxPending: 90 })],
      waiting: 50,
      counts: [2, 48],
    },
  ])('asks for $says', ({ rooms, waiting, counts }) => {
    expect(serversToAsk(rooms, waiting)).toEqual(counts);
  });
});
