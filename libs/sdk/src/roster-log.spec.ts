import type { RosterReceipt } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { RosterLog } from './roster-log.js';

const receipt = (outcome: RosterReceipt['sessions'][number]['outcome'], taken: number): RosterReceipt => ({
  sessions: [{ sessionId: 's', outcome, taken, leftOut: [], why: null }],
});
const seqs = (log: RosterLog): number[] =>
  log.next()?.flatMap(({ events }) => events.map(({ seq }) => seq)) ?? [];
function logOf(events: number): RosterLog {
  const log = new RosterLog();
  for (let i = 0; i < events; i++) log.add('s', { kind: 'death', playerId: 'ann' });
  return log;
}

describe('RosterLog', () => {
  it('numbers events, and sends them until they are acknowledged', () => {
    const log = logOf(3);
    expect(seqs(log)).toEqual([1, 2, 3]);
    log.acknowledge(receipt('taken', 2));
    log.add('s', { kind: 'vote' });
    expect(seqs(log)).toEqual([3, 4]);
    log.acknowledge(receipt('taken', 4));
    expect(log.next()).toBeNull();
  });

  it('sends all of them again if the coordinator is behind', () => {
    const log = logOf(2);
    log.acknowledge(receipt('gap', 0));
    expect(seqs(log)).toEqual([1, 2]);
  });

  it('gives up a session if the missing events are no longer stored', () => {
    const log = logOf(3);
    log.acknowledge(receipt('taken', 2));
    log.acknowledge(receipt('gap', 0));
    log.add('s', { kind: 'vote' });
    expect(log.next()).toBeNull();
  });

  it.each(['unknown', 'over', 'left-alone'] as const)(
    'sends nothing more of a session that is %s',
    (outcome) => {
      const log = logOf(2);
      log.acknowledge(receipt(outcome, 0));
      log.add('s', { kind: 'vote' });
      expect(log.next()).toBeNull();
      log.add('other', { kind: 'vote' });
      expect(log.next()).toMatchObject([{ sessionId: 'other', events: [{ seq: 1 }] }]);
    },
  );

  it('sends smaller batches after a refusal, drops the one faulty event, and grows the batches again', () => {
    const log = new RosterLog();
    const bad = 5;
    for (let i = 0; i < 16; i++)
      log.add(i < 8 ? 's' : 'other', { kind: 'score', playerId: 'ann', points: i });
    const taken: unknown[] = [];
    const calls: number[] = [];
    const dropped: unknown[] = [];
    for (let sent = log.next(); sent; sent = log.next()) {
      const events = sent.flatMap((each) => each.events);
      calls.push(events.length);
      if (events.some((event) => event.kind === 'score' && event.points === bad)) {
        dropped.push(log.refused(sent));
        continue;
      }
      taken.push(...events);
      log.acknowledge({
        sessions: sent.map(({ sessionId, events: [...of] }) => ({
          sessionId,
          outcome: 'taken',
          taken: of.at(-1)?.seq ?? 0,
          leftOut: [],
          why: null,
        })),
      });
    }
    expect(dropped.filter((each) => each !== null)).toEqual([
      { kind: 'score', playerId: 'ann', points: bad },
    ]);
    const points = [...Array(16).keys()].filter((i) => i !== bad);
    expect(taken.map((event) => (event as { points: number }).points)).toEqual(points);
    // Sequence numbers have no gap.
    expect(taken.map((event) => (event as { seq: number }).seq)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7, 8,
    ]);
    expect(calls.length).toBeLessThan(14);
  });
});
