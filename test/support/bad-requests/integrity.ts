import { refused, sends, type BadRequest } from './actors.js';

const invalid = refused(400, 'invalid-request');
const at = '/v1/integrity/cases';
const none = `${at}/cas_0000000000/close`;

/** Invalid calls about cases of integrity. */
export const integrity: BadRequest[] = [
  invalid('a verdict that nobody knows', none, sends('operator', { verdict: 'guilty' }), /verdict/),
  invalid('a case that is closed without a verdict', none, sends('operator', {}), /verdict/),
  invalid(
    'a case whose id is none',
    `${at}/first/close`,
    sends('operator', { verdict: 'cleared' }),
    /caseId/,
  ),
  refused(404, 'case-not-found')(
    'a case that does not exist',
    none,
    sends('operator', { verdict: 'cleared' }),
    /no case cas_0000000000/,
  ),
  refused(403, 'not-allowed')(
    'a case that a player closes',
    none,
    sends('player', { verdict: 'cleared' }),
    /operator/,
  ),
  refused(422, 'pool-invalid')(
    'a pool whose model cannot be made less certain',
    '/v1/pools',
    sends('operator', { name: 'elo-watched', model: 'elo', integrity: { uncertainty: 0.5 } }),
    /leave "uncertainty" out/,
  ),
];
