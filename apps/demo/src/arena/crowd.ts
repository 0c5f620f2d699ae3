import { seededRandom, seedOf, type Random } from '@muster/domain';

/** How many come and go at one moment. */
export interface Traffic {
  readonly come: number;
  readonly go: number;
}

export interface CrowdRules {
  /** Everybody who may come; they come back after a while. */
  readonly people: number;
  /** How many are there on the mean. */
  readonly usually: number;
  /** Moments that one stays on the mean. */
  readonly stay: number;
}

/** Share of moments at which several give up together, as after a lost fight. */
const walkOuts = 0.015;

/**
 * How many come and go at the next moment. The server fills up as it empties, and now and then several leave at once.
 *
 * @param present how many are there
 */
export function nextTraffic({ people, usually, stay }: CrowdRules, present: number, random: Random): Traffic {
  const each = usually / stay;
  const emptiness = Math.max(0, (2 * usually - present) / usually);
  const [coming, going, giveUp] = [random(), random(), random()];
  const come = Math.min(people - present, Math.floor(each * emptiness + coming));
  const leave = Math.floor((each * present) / usually + going) + (giveUp < walkOuts ? 2 : 0);
  return { come, go: Math.max(0, Math.min(leave, present - 4)) };
}

export interface Candidate {
  readonly playerId: string;
  /** Above 0: who has twice as much is drawn twice as often. */
  readonly weight: number;
}

/**
 * Draws by weight. Everybody has luck of their own in each draw, so that two servers with nearly the same people draw nearly
 * always the same ones: what differs between them is then what one of them did.
 *
 * @param draw names the draw
 * @returns `count` of them, or all there are
 */
export function drawn(candidates: readonly Candidate[], count: number, draw: string): string[] {
  return candidates
    .map(({ playerId, weight }) => {
      const luck = 1 - seededRandom(seedOf(`${draw} ${playerId}`))();
      return { playerId, after: -Math.log(luck) / weight };
    })
    .toSorted((a, b) => a.after - b.after)
    .slice(0, count)
    .map(({ playerId }) => playerId);
}
