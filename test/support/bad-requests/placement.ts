import { refused, sends, type BadRequest } from './actors.js';

const invalid = refused(400, 'invalid-request');
const report = { eventId: 'bad-stats', pool: 'default', teams: [['ann'], ['bob']], ranks: [1, 2] };
const names = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`stat-${i}`, i]));

/** Invalid stats, and rules for placement from them. */
export const placement: BadRequest[] = [
  invalid(
    'stats of somebody who was not there',
    '/v1/results',
    sends('operator', { ...report, stats: { eve: { damage: 1 } } }),
    /stats\.eve/,
  ),
  invalid(
    'a stat that is neither number nor text',
    '/v1/results',
    sends('operator', { ...report, stats: { ann: { damage: true } } }),
    /stats\.ann\.damage/,
  ),
  invalid(
    'a stat with an endless name',
    '/v1/results',
    sends('operator', { ...report, stats: { ann: { ['d'.repeat(41)]: 1 } } }),
    /stats\.ann/,
  ),
  invalid(
    'more stats than are kept',
    '/v1/results',
    sends('operator', { ...report, stats: { ann: names(33) } }),
    /at most 32 names/,
  ),
  invalid(
    'a placement that any fit would do for',
    '/v1/pools',
    sends('operator', { name: 'bad-placement', placement: { leastR2: 0 } }),
    /placement\.leastR2/,
  ),
  invalid(
    'a placement after half a match',
    '/v1/pools',
    sends('operator', { name: 'bad-placement', placement: { window: 0.5 } }),
    /placement\.window/,
  ),
];
