import { FormTeamsJob, PlayerId, readStoredRules, RoleName, ServerId } from '@muster/contracts';
import type { QueueRules, Ticket } from '@muster/domain';
import {
  applyEvent,
  check,
  freshBalance,
  freshLive,
  pickSides,
  policies,
  type Roster,
} from '@muster/live-balance';
import { defaultQueues, WaitingPool, worstLatencies } from '@muster/matchmaking';
import { kindNamed, readParameters } from '@muster/skill';
import { rebalance, split } from '@muster/solver';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prototypeIds, prototypeNames, toldApart } from '../support/prototype-names.js';

const [fives] = defaultQueues as [QueueRules, ...QueueRules[]];
const noon = 1_768_478_400_000;

/** Some of the names, in any order, and the same number of numbers. */
const some = (count: number) =>
  fc.record({
    names: fc.shuffledSubarray([...prototypeNames], { minLength: count, maxLength: count }),
    numbers: fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: count, maxLength: count }),
  });

const at = (list: readonly string[], i: number): string => list[i % list.length] ?? '';

describe('ids of players, servers, queues, roles, maps and regions may be names of Object.prototype', () => {
  it('by the solver: players, parties, roles, uncertainties', () => {
    fc.assert(
      fc.property(some(6), ({ names, numbers }) => {
        expect(
          toldApart((ids) => {
            const players = ids.map((id, i) => ({
              id,
              weight: numbers[i] ?? 0,
              ...(i < 2 ? { party: at(ids, 0) } : {}),
              canPlay: [at(ids, i + 1)],
            }));
            const [one = '', two = ''] = ids;
            const sigmas = Object.fromEntries(ids.map((id, i) => [id, 1 + (numbers[i] ?? 0) / 1_000]));
            return [
              split({
                players,
                teamSizes: [3, 3],
                roles: { [one]: { min: 0, max: 2 } },
                avoid: [[one, at(ids, 4)]],
              }),
              split({ players, teamSizes: [3, 3], roles: { [two]: { min: 3 } } }),
              split({ players, teamSizes: [3, 3], objective: { kind: 'win', beta: 4, sigmas } }),
              rebalance({ players, current: [ids.slice(0, 3), ids.slice(3)], tolerance: 10 }),
            ];
          }, names),
        ).toBeNull();
      }),
    );
  });

  it('by the matcher: players, builds, regions, roles and maps', () => {
    fc.assert(
      fc.property(some(6), ({ names, numbers }) => {
        expect(
          toldApart((ids) => {
            const rules: QueueRules = {
              ...fives,
              teamSize: 1,
              maxPartySize: 1,
              roles: { [at(ids, 0)]: 1 },
              maps: { names: ids, agreeSeconds: 30 },
            };
            const pool = new WaitingPool(rules);
            ids.forEach((id, i) => {
              const ticket: Ticket = {
                ticketId: id,
                queue: rules.name,
                build: at(ids, 3),
                players: [{ playerId: id, mu: (numbers[i] ?? 0) / 100, sigma: 8, canPlay: [at(ids, 0)] }],
                // All players measured one region, and each one a region of its own.
                latencyMs: { [at(ids, 1)]: 20, [id]: 10 + i },
                maps: [at(ids, 2), id],
                enqueuedAt: noon + i,
                expiresAt: noon + 600_000,
                fingerprint: id,
              };
              pool.add(ticket);
            });
            return [0, 20, 60, 200].map((seconds) => {
              const { proposals } = pool.tick(noon + seconds * 1_000);
              for (const { tickets } of proposals) for (const ticketId of tickets) pool.remove(ticketId);
              return proposals;
            });
          }, names),
        ).toBeNull();
      }),
    );
  });

  it('by the latencies of a party: a region not measured by all members is left out', () => {
    expect(worstLatencies([{ constructor: 20, eu: 30 }, { eu: 40 }])).toEqual({ eu: 40 });
    expect(worstLatencies([{ constructor: 20 }, { constructor: 25 }])).toEqual({ constructor: 25 });
  });

  it('by live balance: side wishes, and rosters', () => {
    fc.assert(
      fc.property(some(6), ({ names, numbers }) => {
        expect(
          toldApart((ids) => {
            const players = ids.map((playerId, i) => ({ playerId, rating: numbers[i] ?? 0 }));
            const roster: Roster = {
              teams: 2,
              players: players.map((player, i) => ({ ...player, team: i < 5 ? 0 : 1 })),
            };
            // Half of them have a wish; the others accept any side.
            const wished = ids.slice(0, 3).map((playerId, i) => ({
              kind: 'wish' as const,
              playerId,
              side: i === 0 ? ('random' as const) : (1 as const),
            }));
            const { state } = [{ kind: 'side-pick' as const }, ...wished].reduce(
              (match, event) => applyEvent(match, policies['muster']!, event, noon),
              { roster, state: freshLive },
            );
            return [
              pickSides(players, state.sides!.wishes, { tolerance: 100, seed: 1 }),
              ...Object.values(policies).map((policy) => check(roster, policy, freshBalance, noon)),
            ];
          }, names),
        ).toBeNull();
      }),
    );
  });

  it('by the models: an unknown parameter is rejected with the known ones', () => {
    for (const name of prototypeNames)
      expect(() => readParameters(kindNamed('elo').parameters, JSON.parse(`{ "${name}": 1 }`))).toThrow(
        `There is no parameter "${name}"`,
      );
  });

  it('on the wire: jobs and rules keep every valid id, and __proto__ is not one', () => {
    for (const id of prototypeIds) {
      const ticket = {
        ticketId: 't',
        playerIds: [id],
        enqueuedAt: noon,
        probes: { [id]: 20 },
        canPlay: { [id]: [id] },
      };
      const { rules, ...job } = {
        matchId: 'm',
        queue: 'constructor',
        build: id,
        regions: [],
        tickets: [ticket],
        map: id,
        rules: {
          mode: 'm',
          pool: 'p',
          teams: 2,
          teamSize: 1,
          placementTimeoutSeconds: 60,
          roles: { [id]: 1 },
        },
        why: [],
        proposedAt: noon,
      };
      const read = FormTeamsJob.parse(JSON.parse(JSON.stringify({ ...job, rules })));
      expect(read).toMatchObject({ tickets: [ticket], rules: { roles: { [id]: 1 } } });
      expect(readStoredRules({ ...fives, roles: { [id]: 1 } }).roles).toEqual({ [id]: 1 });
    }
    for (const Id of [PlayerId, ServerId, RoleName]) {
      for (const id of prototypeIds) expect(Id.safeParse(id).success).toBe(true);
      expect(Id.safeParse('__proto__').success).toBe(false);
    }
  });
});
