import { exemptModes } from './roster/exemptions.js';
import type { PowerVersion } from './roster/powers.js';
import type { Policy } from './policy.js';
import { pickMs } from './scrambles/side-pick.js';
import { communityPartyFactors } from './moves/twenty-percent.js';

/** Moves nobody; newcomers join where they make the teams most even, on a team that is not the larger one. */
export const none: Policy = {
  name: 'none',
  rules: [],
  exempt: { modes: [], secondsLeft: 0 },
  ranked: 'leave-alone',
  withinMs: 10_000,
  placement: { bots: null, maxSizeDifference: 1 },
  start: {},
  levers: [],
  scramble: null,
  sides: { forMs: pickMs, toleranceShare: 0.05 },
};

/** Sector's Edge: powers and sizes, 20 s, one at a time when they die (L6, L7, L8). */
export function sectorsEdge(version: PowerVersion): Policy {
  return {
    ...none,
    name: `sectors-edge-${version}`,
    rules: [
      {
        kind: 'powers',
        version,
        sizes: 'table',
        leastPower: 10,
        strictSizes: false,
        lowestShare: 0.67,
        delayMs: 20_000,
        onlyDead: true,
      },
    ],
    exempt: { modes: exemptModes, secondsLeft: 180 },
    // Powers include presence as well as skill.
    placement: { bots: null, maxSizeDifference: null },
  };
}

/** SynElo: moves when sizes differ by 2, within 10 s, and scrambles between rounds (L10–L13). */
export const synelo: Policy = {
  ...none,
  name: 'synelo',
  rules: [{ kind: 'sizes', least: 2, delayMs: 0, onlyDead: false }],
  scramble: { winsInARow: 3, fullRounds: 2, bench: 'anyone' },
};

/** Natural Selection 2: the fewest swaps, when players vote for them (L14). */
export const hive: Policy = {
  ...none,
  name: 'hive',
  rules: [{ kind: 'swaps', toleranceShare: 0.02, onVote: true, delayMs: 0, onlyDead: false }],
};

/** The 20 % rule of Sector's Edge's community (L9). Team sizes do not count. */
export const twentyPercent: Policy = {
  ...none,
  name: 'twenty-percent',
  rules: [{ kind: 'weight', over: 0.2, partyFactors: communityPartyFactors, delayMs: 0, onlyDead: false }],
  exempt: { modes: [...exemptModes, 'endless'], secondsLeft: 180 },
  placement: { bots: null, maxSizeDifference: null },
};

/**
 * Muster's own: where one team's weight is more than a fifth above the other's, a player moves after 5 s; above 12 %, after
 * 10 s, the next player who dies and whose move makes the teams more even. Where no single move helps against the larger
 * team, up to four players trade places; for the smaller team that costs players more than it helps. Newcomers are placed
 * by ratings, whatever the sizes.
 *
 * The numbers were found by simulation (docs/live-balance.md).
 */
export const muster: Policy = {
  ...none,
  name: 'muster',
  rules: [
    { kind: 'weight', over: 0.2, partyFactors: [], mostMoved: 4, delayMs: 5_000, onlyDead: false },
    { kind: 'weight', over: 0.12, partyFactors: [], mostMoved: 1, delayMs: 10_000, onlyDead: true },
  ],
  exempt: { modes: exemptModes, secondsLeft: 180 },
  placement: { bots: null, maxSizeDifference: null },
};

/** The policies that come with Muster, by name. */
export const policies: Readonly<Record<string, Policy>> = Object.fromEntries(
  [none, sectorsEdge('1.2.1'), sectorsEdge('1.2.2'), synelo, hive, twentyPercent, muster].map((policy) => [
    policy.name,
    policy,
  ]),
);
