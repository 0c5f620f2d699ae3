import { describe, expect, it } from 'vitest';
import { attemptsOf, isCancellable, storyOf, type TicketEvent } from './ticket.js';

const event = (seq: number, state: TicketEvent['state'], given: Partial<TicketEvent> = {}): TicketEvent => ({
  seq,
  at: seq * 1_000,
  state,
  reason: `reason ${seq}`,
  ...given,
});

describe('the story of a ticket', () => {
  it('has every state with its time and reason', () => {
    const steps = storyOf([
      event(1, 'waiting'),
      event(2, 'proposed', { matchId: 'mat_1' }),
      event(3, 'waiting'),
      event(4, 'proposed', { matchId: 'mat_2' }),
      event(5, 'placing', { matchId: 'mat_2', matchState: 'formed' }),
      event(6, 'placing', { matchId: 'mat_2', matchState: 'formed' }),
      event(7, 'assigned', { matchId: 'mat_2', matchState: 'placed' }),
      event(8, 'assigned', { matchId: 'mat_2', matchState: 'rated' }),
    ]);
    expect(steps.map(({ title, matchId }) => [title, matchId])).toEqual([
      ['It was queued', undefined],
      ['A match was proposed', 'mat_1'],
      ['It waits again', undefined],
      ['A match was proposed', 'mat_2'],
      ['Its teams were made', undefined],
      ['It waits for a server', undefined],
      ['It was assigned to a server', undefined],
      ['Its match is over and rated', undefined],
    ]);
    expect(steps[2]).toMatchObject({ at: 3_000, text: 'reason 3' });
  });

  it('tells ends that nobody wanted', () => {
    const ends = [
      event(2, 'expired'),
      event(2, 'failed', { matchState: 'abandoned' }),
      event(2, 'cancelled'),
    ];
    expect(storyOf(ends).map(({ title, tone }) => [title, tone])).toEqual([
      ['It expired', 'bad'],
      ['Its match was abandoned', 'bad'],
      ['It was cancelled', 'note'],
    ]);
  });
});

it('attempts to find a server are what was told after the teams were made', () => {
  const events = [
    event(2, 'placing', { matchId: 'mat_1' }),
    event(3, 'placing', { matchId: 'mat_1' }),
    event(4, 'waiting'),
    event(5, 'placing', { matchId: 'mat_2' }),
  ];
  expect(attemptsOf(events, 'mat_1').map(({ text }) => text)).toEqual(['reason 3']);
});

it('a ticket in a match is not cancelled', () => {
  const states = ['waiting', 'accepting', 'proposed', 'placing', 'assigned', 'failed'] as const;
  expect(states.filter((state) => isCancellable({ state }))).toEqual(['waiting', 'accepting']);
});
