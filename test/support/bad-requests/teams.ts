import { refused, sends, type BadRequest } from './actors.js';

const invalid = refused(400, 'invalid-request');
const unsolvable = refused(422, 'unsolvable');

const players = [4, 3, 2, 1].map((weight, i) => ({ id: `bad-${i}`, weight }));
const split = { players, teamSizes: [2, 2] };
const rebalance = { players, current: [['bad-0'], ['bad-1']], tolerance: 1 };
const crowd = Array.from({ length: 201 }, (_, i) => ({ id: `bad-${i}`, weight: i }));
const pairs = Array.from({ length: 201 }, () => ['bad-0', 'bad-1']);
const nineRoles = Object.fromEntries('abcdefghi'.split('').map((role) => [role, { max: 2 }]));

/** Invalid calls of the solver. */
export const teams: BadRequest[] = [
  invalid(
    'a split without players',
    '/v1/teams/split',
    sends('operator', { ...split, players: [] }),
    /players/,
  ),
  invalid(
    'a split of one',
    '/v1/teams/split',
    sends('operator', { ...split, players: players.slice(1, 2) }),
    /players/,
  ),
  invalid('a split of 201', '/v1/teams/split', sends('operator', { ...split, players: crowd }), /players/),
  invalid(
    'a weight as text',
    '/v1/teams/split',
    sends('operator', { ...split, players: [{ id: 'bad-0', weight: '4' }, ...players.slice(1)] }),
    /players\.0\.weight/,
  ),
  invalid(
    'a weight beyond all sums',
    '/v1/teams/split',
    sends('operator', { ...split, players: [{ id: 'bad-0', weight: 1e13 }, ...players.slice(1)] }),
    /players\.0\.weight/,
  ),
  invalid(
    'a player of a strange name',
    '/v1/teams/split',
    sends('operator', { ...split, players: [{ id: 'a b', weight: 4 }, ...players.slice(1)] }),
    /players\.0\.id/,
  ),
  invalid('no team sizes', '/v1/teams/split', sends('operator', { players }), /teamSizes/),
  invalid('one team', '/v1/teams/split', sends('operator', { ...split, teamSizes: [4] }), /teamSizes/),
  invalid(
    'half a player',
    '/v1/teams/split',
    sends('operator', { ...split, teamSizes: [1.5, 2.5] }),
    /teamS/,
  ),
  invalid('the best 101', '/v1/teams/split', sends('operator', { ...split, best: 101 }), /best/),
  invalid('the best 0', '/v1/teams/split', sends('operator', { ...split, best: 0 }), /best/),
  invalid('half a seed', '/v1/teams/split', sends('operator', { ...split, seed: 0.5 }), /seed/),
  invalid('a negative power', '/v1/teams/split', sends('operator', { ...split, power: -1 }), /power/),
  invalid(
    'a minute to think',
    '/v1/teams/split',
    sends('operator', { ...split, deadlineMs: 60_000 }),
    /deadl/,
  ),
  invalid(
    'no time to think',
    '/v1/teams/split',
    sends('operator', { ...split, deadlineMs: 0 }),
    /deadlineMs/,
  ),
  invalid('nine roles', '/v1/teams/split', sends('operator', { ...split, roles: nineRoles }), /8 roles/),
  invalid(
    'a role of minus one',
    '/v1/teams/split',
    sends('operator', { ...split, roles: { healer: { min: -1 } } }),
    /roles\.healer\.min/,
  ),
  invalid('201 pairs', '/v1/teams/split', sends('operator', { ...split, avoid: pairs }), /avoid/),
  invalid('half a pair', '/v1/teams/split', sends('operator', { ...split, avoid: [['bad-0']] }), /avoid\.0/),
  invalid(
    'an unknown goal',
    '/v1/teams/split',
    sends('operator', { ...split, second: { goals: ['fun'], slack: 1 } }),
    /second\.goals\.0/,
  ),
  invalid(
    'an unknown objective',
    '/v1/teams/split',
    sends('operator', { ...split, objective: { kind: 'fun' } }),
    /objective/,
  ),
  invalid(
    'an objective of no beta',
    '/v1/teams/split',
    sends('operator', { ...split, objective: { kind: 'win', beta: 0, sigmas: {} } }),
    /objective\.beta/,
  ),
  invalid(
    'bots of no weight',
    '/v1/teams/split',
    sends('operator', { ...split, bots: { fillTo: 6 } }),
    /bots\./,
  ),
  invalid('an unknown field', '/v1/teams/split', sends('operator', { ...split, luck: 1 }), /luck/),
  unsolvable(
    'sizes for five',
    '/v1/teams/split',
    sends('operator', { ...split, teamSizes: [3, 2] }),
    /5 places.*4 players/,
  ),
  unsolvable(
    'a role of more at least than at most',
    '/v1/teams/split',
    sends('operator', { ...split, roles: { healer: { min: 2, max: 1 } } }),
    /healer/,
  ),
  unsolvable(
    'sigmas that lack a player',
    '/v1/teams/split',
    sends('operator', { ...split, objective: { kind: 'win', beta: 4, sigmas: { 'bad-0': 8 } } }),
    /bad-1/,
  ),
  unsolvable(
    'a party of three in teams of two',
    '/v1/teams/split',
    sends('fleet', {
      ...split,
      players: players.map((p, i) => ({ ...p, party: i < 3 ? 'trio' : undefined })),
    }),
    /trio/,
  ),
  invalid('a pool without a bench', '/v1/teams/splits', sends('operator', { players }), /bench/),
  invalid(
    'an unknown bench',
    '/v1/teams/splits',
    sends('operator', { players, bench: 'nobody' }),
    /bench.*anyone/,
  ),
  unsolvable(
    'a pool with a player twice',
    '/v1/teams/splits',
    sends('operator', { players: [...players, players[0]], bench: 'anyone' }),
    /bad-0.*twice/,
  ),
  invalid(
    'three teams to rebalance',
    '/v1/teams/rebalance',
    sends('operator', { ...rebalance, current: [['bad-0'], ['bad-1'], ['bad-2']] }),
    /current/,
  ),
  invalid(
    'a negative tolerance',
    '/v1/teams/rebalance',
    sends('operator', { ...rebalance, tolerance: -1 }),
    /tolerance/,
  ),
  unsolvable(
    'a player on both teams',
    '/v1/teams/rebalance',
    sends('operator', { ...rebalance, current: [['bad-0'], ['bad-0']] }),
    /bad-0.*twice/,
  ),
];
