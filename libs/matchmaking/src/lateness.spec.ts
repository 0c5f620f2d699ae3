import { expect, it } from 'vitest';
import { defaultQueues } from './default-rules.js';
import { latenessOf } from './lateness.js';

const [fives] = defaultQueues;
const rules = { ...fives!, ticketTtlSeconds: 600 };

it('a ticket is late a minute after the rules have widened as far as they do', () => {
  expect(latenessOf(rules)).toEqual({ lateSeconds: 120, leastPlayers: 10 });
  expect(latenessOf({ ...rules, maps: { names: ['dust'], agreeSeconds: 200 } }).lateSeconds).toBe(260);
  expect(latenessOf({ ...rules, behaviour: { lowBelow: 0.2, apartSeconds: null } }).lateSeconds).toBe(120);
});

it('a ticket that expires sooner is late shortly before', () => {
  expect(latenessOf({ ...rules, ticketTtlSeconds: 100 }).lateSeconds).toBe(90);
});

it('the smallest match that the rules allow in the end needs the fewest players', () => {
  const smallerTeams = [
    { afterSeconds: 30, teamSize: 4 },
    { afterSeconds: 90, teamSize: 3 },
  ];
  expect(latenessOf({ ...rules, smallerTeams })).toEqual({ lateSeconds: 150, leastPlayers: 6 });
  const bots = { afterSeconds: 240, skill: 20, minPlayers: 2 };
  expect(latenessOf({ ...rules, smallerTeams, bots })).toEqual({ lateSeconds: 300, leastPlayers: 2 });
});
