import { openApiDocument } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { Documented } from './documented.js';

const documented = new Documented(JSON.parse(JSON.stringify(openApiDocument('1.0.0'))));
const wrong = (call: string, body: unknown = null): string[] => {
  const [method = '', path = ''] = call.split(' ');
  const url = `http://127.0.0.1:1${path}`;
  return documented.wrongWith({ method, url, body: body === null ? null : JSON.stringify(body) });
};

describe('a request of the dashboard', () => {
  it.each([
    'GET /dashboard/',
    'GET /dashboard/assets/index-1.js',
    'GET /v1/me/operator',
    'GET /v1/matches?limit=50',
    'GET /v1/matches/mat_1',
    'GET /v1/matches/export?format=csv',
    'GET /v1/events?types=match.*',
    'GET /v1/bans?limit=5',
  ])('is in the document: %s', (call) => expect(wrong(call)).toEqual([]));

  it.each([
    ['GET /v1/nothing', 'GET /v1/nothing is not in the document'],
    ['POST /dashboard/', 'POST /dashboard/ is not in the document'],
    ['PATCH /v1/matches', 'PATCH /v1/matches is not in the document'],
    ['GET /v1/matches?colour=red', 'GET /v1/matches: the query colour is not in the document'],
    ['DELETE /v1/ratings/duel/ann', 'DELETE /v1/ratings/duel/ann: the query reason is missing'],
  ])('is not in the document: %s', (call, said) => expect(wrong(call)).toEqual([said]));

  it('has values that the document allows', () => {
    expect(wrong('GET /v1/matches?limit=0')).toHaveLength(1);
    expect(wrong('GET /v1/matches?limit=many')).toHaveLength(1);
  });

  it('has a body that the document allows', () => {
    const ban = 'PUT /v1/players/ann/ban';
    expect(wrong(ban, { until: 1_800_000_000_000, reason: 'Cheating.' })).toEqual([]);
    expect(wrong(ban)).toEqual([`${ban}: it lacks its body`]);
    expect(wrong(ban, { until: 'soon', reason: 'Cheating.' })).toHaveLength(1);
    expect(wrong(ban, { until: 1_800_000_000_000, reason: 'Cheating.', colour: 'red' })).toEqual([
      `${ban}: the field colour is not in the document`,
    ]);
    expect(wrong('POST /v1/servers/one/drain', {})).toEqual(['POST /v1/servers/one/drain: it takes no body']);
  });

  it('has a body with parts that the document names', () => {
    const rules = { name: 'duel', mode: 'duel', pool: 'duel', teams: 2, teamSize: 1 };
    expect(wrong('PUT /v1/queues/duel/rules', { rules: { ...rules, teams: 'two' } })).toHaveLength(1);
  });

  it('has answers that the document names', () => {
    const made = { method: 'GET', url: 'http://127.0.0.1:1/v1/matches/mat_1', body: null };
    expect([200, 404, 418].map((status) => documented.answers(made, status))).toEqual([true, true, false]);
  });
});
