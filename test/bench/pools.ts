import { seededRandom, type Random } from '@muster/domain';
import type { SplitPlayer, SplitProblem } from '@muster/solver';

export type Weights = 'doubles' | 'integers';

/** The kinds of weights. Three pools of five are plain, the others alternate. */
export type Kind =
  'plain' | 'outlier' | 'equal' | 'clusters' | 'roots' | 'near' | 'steep' | 'primes' | 'coarse' | 'fives';

export interface Pool {
  readonly kind: Kind;
  readonly players: readonly SplitPlayer[];
  /** The seed of a row's other draws. */
  readonly seed: number;
}

const adversarial: Readonly<Record<Weights, readonly Kind[]>> = {
  doubles: ['outlier', 'clusters', 'equal', 'roots', 'near', 'steep'],
  integers: ['outlier', 'primes', 'equal', 'coarse'],
};

/** Pools of `n` players: plain, plain, plain, two of the adversarial kinds, and again. */
export function poolsOf(
  weights: Weights,
  n: number,
  count: number,
  seed: number,
  withParties: boolean,
): Pool[] {
  const kinds = [...(withParties ? (['fives'] as const) : []), ...adversarial[weights]];
  return Array.from({ length: count }, (_, i) => {
    const poolSeed = seed * 1_000_003 + n * 1_009 + i;
    const turn = 2 * Math.floor(i / 5) + (i % 5) - 3;
    const kind = i % 5 < 3 ? 'plain' : (kinds[turn % kinds.length] ?? 'plain');
    const list = weightsOf(kind, weights, n, seededRandom(poolSeed));
    return { kind, players: list.map((weight, p) => ({ id: `p${p}`, weight })), seed: poolSeed };
  });
}

function weightsOf(kind: Kind, weights: Weights, n: number, random: Random): number[] {
  const list = (weigh: (i: number) => number): number[] => Array.from({ length: n }, (_, i) => weigh(i));
  const plain = (): number =>
    weights === 'doubles' ? 1_000 + 600 * normal(random) : Math.round(1_000 + 200 * normal(random));
  switch (kind) {
    case 'plain':
    case 'fives':
      return list(plain);
    case 'outlier': {
      const heavy = 1_000 * (3 + random() * (n / 2 - 3));
      return list((i) => (i > 0 ? plain() : weights === 'doubles' ? heavy : Math.round(heavy)));
    }
    case 'equal': {
      const weight = weights === 'doubles' ? 1_000 * random() : Math.round(1_000 * random());
      return list(() => weight);
    }
    case 'clusters':
      return list((i) => (i % 2 === 0 ? 400 : 1_600) + normal(random));
    case 'roots':
      return someOf(primes, n, random).map(Math.sqrt);
    case 'near':
      return list(() => 1_000 + 1e-6 * normal(random));
    case 'steep':
      return list((i) => 100 * 1.2 ** (i % 24) * (1 + random() / 10));
    case 'primes':
      return someOf(primes, n, random);
    case 'coarse':
      return list(() => 25 * Math.round(plain() / 25));
  }
}

const largestPrime = 2_741;
const primes = Array.from({ length: largestPrime - 1 }, (_, i) => i + 2).filter((candidate) => {
  for (let divisor = 2; divisor * divisor <= candidate; divisor++)
    if (candidate % divisor === 0) return false;
  return true;
});

/** A standard normal draw (Box–Muller). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** In random order. */
export function someOf<T>(items: readonly T[], count: number, random: Random): T[] {
  const left = [...items];
  return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)).flat();
}

/**
 * Puts a pool into parties and, if requested, under roles and avoided pairs. All constraints are drawn around one pair
 * of teams that satisfies them, so that a solution exists: parties within a team, avoided pairs across teams, each
 * player able to play a role of that team.
 */
export function constrained({ players, kind, seed }: Pool, withRoles: boolean): SplitProblem {
  const n = players.length;
  const random = seededRandom(seed + 1);
  const order = someOf([...players.keys()], n, random);
  const teams = [order.slice(0, n / 2), order.slice(n / 2)];
  const party = new Map<number, string>();
  const canPlay = new Map<number, string[]>();
  teams.forEach((team, t) => {
    for (let at = 0; at < team.length;) {
      const size = partySize(kind, withRoles, random);
      if (size > 1) team.slice(at, at + size).forEach((i) => party.set(i, `${t}-${at}`));
      at += size;
    }
    team.forEach((i, at) => {
      const role = at % 4 === 0 ? 'tank' : at % 4 === 1 ? 'healer' : 'damage';
      const others = ['tank', 'healer', 'damage'].filter((other) => other !== role && random() < 0.15);
      canPlay.set(i, [role, ...others]);
    });
  });
  const avoid = [0, 1, 2].flatMap((at) => {
    const [a, b] = [players[teams[0]?.[5 * at] ?? -1], players[teams[1]?.[5 * at] ?? -1]];
    return a && b ? [[a.id, b.id] as const] : [];
  });
  return {
    players: players.map((player, i) => ({
      ...player,
      ...(party.has(i) ? { party: party.get(i) } : {}),
      ...(withRoles ? { canPlay: canPlay.get(i) } : {}),
    })),
    teamSizes: teams.map((team) => team.length),
    ...(withRoles
      ? { avoid, roles: { tank: { min: 2 }, healer: { min: 2, max: 6 }, damage: { min: 4 } } }
      : {}),
  };
}

/** Parties of two to four, drawn team by team, so that they fit. */
export function inParties(
  players: readonly SplitPlayer[],
  teamSizes: readonly number[],
  seed: number,
): SplitPlayer[] {
  const random = seededRandom(seed + 2);
  const chance = 0.3 + 0.6 * random();
  const named: SplitPlayer[] = [];
  for (const size of teamSizes) {
    const end = named.length + size;
    while (named.length < end) {
      const at = named.length;
      const members = random() < chance ? Math.min(end - at, 2 + Math.floor(random() * 3)) : 1;
      const party = members > 1 ? { party: `at-${at}` } : {};
      named.push(...players.slice(at, at + members).map((player) => ({ ...player, ...party })));
    }
  }
  return named;
}

/** Two to five; with roles half of the players are alone. */
function partySize(kind: Kind, withRoles: boolean, random: Random): number {
  if (kind === 'fives') return 5;
  return withRoles && random() < 0.7 ? 1 : 2 + Math.floor(random() * 4);
}
