import type { RosterTold } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { RosterLog } from './roster-log.js';

const told = (outcome: RosterTold['sessions'][number]['outcome'], taken: number): RosterTold => ({
  sessions: [{ sessionId: 's', outcome, taken, why: null }],
});
const seqs = (log: RosterLog): number[] =>
  log.next()?.flatMap(({ events }) => events.map(({ seq }) => seq)) ?? [];
function logOf(events: number): RosterLog {
  const log = new RosterLog();
  for (let i = 0; i < events; i++) log.add('s', { kind: 'death', playerId: 'ann' });
  return log;
}

describe('RosterLog', () => {
  it('numbers events, and tells them until they are taken', () => {
    const log = logOf(3);
    expect(seqs(log)).toEqual([1, 2, 3]);
    log.told(told('taken', 2));
    log.add('s', { kind: 'vote' });
    expect(seqs(log)).toEqual([3, 4]);
    log.told(told('taken', 4));
    expect(log.next()).toBeNull();
  });

  it('tells all of them again when the coordinator is not so far yet', () => {
    const log = logOf(2);
    log.told(told('gap', 0));
    expect(seqs(log)).toEqual([1, 2]);
  });

  it('gives a session up when what is missing is not here any more', () => {
    const log = logOf(3);
    log.told(told('taken', 2));
    log.told(told('gap', 0));
    log.add('s', { kind: 'vote' });
    expect(log.next()).toBeNull();
  });

  it.each(['unknown', 'over', 'left-alone'] as const)('says no more of a session that is %s', (outcome) => {
    const log = logOf(2);
    log.told(told(outcome, 0));
    log.add('s', { kind: 'vote' });
    expect(log.next()).toBeNull();
    log.add('other', { kind: 'vote' });
    expect(log.next()).toMatchObject([{ sessionId: 'other', events: [{ seq: 1 }] }]);
  });
});
