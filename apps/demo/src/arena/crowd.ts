import { seededRandom, seedOf, type Random } from '@muster/domain';

/** The numbers of people who join and leave at one moment. */
export interface Traffic {
  readonly come: number;
  readonly go: number;
}

export interface CrowdRules {
  /** Everybody who may join; they return after a while. */
  readonly people: number;
  /** Mean number of people present. */
  readonly usually: number;
  /** Mean number of moments that people stay. */
  readonly stay: number;
}

/** Share of moments at which several leave together, as after a lost fight. */
const massDepartures = 0.015;

/**
 * The numbers of people who join and leave at the next moment. The server fills up as it empties, and occasionally several
 * leave at once.
 *
 * @param present number of people present
 */
export function nextTraffic({ people, usually, stay }: CrowdRules, present: number, random: Random): Traffic {
  const each = usually / stay;
  const emptiness = Math.max(0, (2 * usually - present) / usually);
  const [coming, going, giveUp] = [random(), random(), random()];
  const come = Math.min(people - present, Math.floor(each * emptiness + coming));
  const leave = Math.floor((each * present) / usually + going) + (giveUp < massDepartures ? 2 : 0);
  return { come, go: Math.max(0, Math.min(leave, present - 4)) };
}

export interface Candidate {
  readonly playerId: string;
  /** Above 0: a player of twice the weight is drawn twice as often. */
  readonly weight: number;
}

/**
 * Draws by weight. Each player has their own random number per draw, so that two servers with nearly the same people draw
 * nearly always the same ones: differences are then effects of the policy.
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
