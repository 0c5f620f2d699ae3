import { describe, expect, it } from 'vitest';
import { fieldSchema } from './rule-schema.js';
import { labelOf, valueWords } from './rule-words.js';

describe('rules in words', () => {
  it.each([
    ['skillWindow', 'Skill window'],
    ['crashRequeueSeconds', 'Crash requeue'],
    ['ticketTtlSeconds', 'Tickets expire after'],
  ])('name %s %s', (field, label) => expect(labelOf(field)).toBe(label));

  it.each<[field: string, value: unknown, words: string]>([
    ['teams', 2, '2'],
    ['ticketTtlSeconds', 600, '10 min'],
    ['sides', ['marines', 'aliens'], 'marines, aliens'],
    [
      'skillWindow',
      [
        { afterSeconds: 0, limit: 4 },
        { afterSeconds: 45, limit: null },
      ],
      '4 points at first, no limit after 45 s',
    ],
    ['latencyLimitMs', [{ afterSeconds: 0, limit: 80 }], '80 ms at first'],
    ['readyCheck', { seconds: 20, coolDownSeconds: [0, 60] }, 'time 20 s, cool down 0 s, 1 min'],
    ['smallerTeams', [{ afterSeconds: 60, teamSize: 4 }], 'after 1 min, players on a team 4'],
    ['maps', { names: ['dust'], agreeSeconds: null }, 'names dust, agree always'],
    ['crossPlay', { groups: [['pc'], ['xbox', 'switch']] }, 'groups pc; xbox, switch'],
    ['entry', { verified: true }, 'verified yes'],
    ['behaviour', { lowBelow: 0.3, apartSeconds: null }, 'low below 0.3, apart never'],
  ])('say %s: %j', (field, value, words) => expect(valueWords(field, value)).toBe(words));

  it('are explained by the published schema', () => {
    expect(fieldSchema(['teams'])).toMatchObject({ description: 'How many teams a match has.', minimum: 2 });
    expect(fieldSchema(['skillWindow', 0, 'limit']).description).toContain('no limit any more');
    expect(fieldSchema(['placement']).choices).toContain('spread');
    expect(fieldSchema(['nothing', 'there'])).toMatchObject({ description: '', choices: [] });
  });
});
