import type { CoolDownRules, Offence, PenaltyKind, QueueRules } from '@muster/domain';

/** Where a queue's rules speak of a kind of offence. */
const fieldOf = { declined: 'readyCheck', 'no-show': 'noShows', left: 'leavers' } as const satisfies Record<
  PenaltyKind,
  keyof QueueRules
>;

/** What a queue's rules say of a kind of offence; undefined when nothing: then it has no consequence. */
export function coolDownRules(
  rules: Pick<QueueRules, 'readyCheck' | 'noShows' | 'leavers'>,
  kind: PenaltyKind,
): CoolDownRules | undefined {
  return rules[fieldOf[kind]];
}

/** Until when a player may not queue, and by which offence. */
export interface CoolDown {
  readonly until: number;
  readonly kind: PenaltyKind;
  /** Which offence of this kind it was, of those that count; from 1. */
  readonly nth: number;
}

/**
 * Until when a player may not queue.
 *
 * 1. An offence is the n-th of its kind, counting those of `forgiveAfterSeconds` before it and itself.
 * 2. From its time on, the n-th entry of `coolDownSeconds` holds, the last one for all beyond.
 * 3. Of all cool-downs the one that ends last holds.
 *
 * So one more offence never makes it shorter, the order in which they are told does not matter, and each is forgotten by itself.
 *
 * @param offences in any order, of any kinds and queues
 * @param rulesOf what holds for an offence; undefined: nothing does
 * @param now milliseconds since the epoch
 * @returns null when the player may queue
 */
export function coolDownOf(
  offences: readonly Offence[],
  rulesOf: (offence: Offence) => CoolDownRules | undefined,
  now: number,
): CoolDown | null {
  let longest: CoolDown | null = null;
  for (const offence of offences) {
    const rules = rulesOf(offence);
    if (!rules) continue;
    const { kind, at } = offence;
    const remembered = at - rules.forgiveAfterSeconds * 1000;
    const nth = offences.filter(
      (other) => other.kind === kind && other.at > remembered && other.at <= at,
    ).length;
    const step = Math.min(nth, rules.coolDownSeconds.length) - 1;
    const until = at + (rules.coolDownSeconds[step] ?? 0) * 1000;
    if (until > now && until > (longest?.until ?? 0)) longest = { until, kind, nth };
  }
  return longest;
}

/**
 * How far back offences have to be read, in milliseconds: older ones change nothing.
 *
 * @param queues the rules of all queues
 * @returns 0 when no rules speak of any offence
 */
export function memoryMs(queues: readonly Pick<QueueRules, 'readyCheck' | 'noShows' | 'leavers'>[]): number {
  const all = queues.flatMap((rules) => Object.values(fieldOf).flatMap((field) => rules[field] ?? []));
  const longest = Math.max(0, ...all.flatMap((rules) => rules.coolDownSeconds));
  return longest === 0 ? 0 : (longest + Math.max(...all.map((rules) => rules.forgiveAfterSeconds))) * 1000;
}

const did: Readonly<Record<PenaltyKind, string>> = {
  declined: 'did not accept a match',
  'no-show': 'did not come to a match',
  left: 'left a match',
};

/** Why a player may not queue, in words that follow their name, without an end. */
export function explainCoolDown({ kind, nth, until }: CoolDown, now: number): string {
  const times = nth === 1 ? '' : ` for the ${ordinal(nth)} time lately`;
  return `${did[kind]}${times} and may queue again in ${inWords(until - now)}`;
}

function ordinal(n: number): string {
  const teen = n % 100 >= 11 && n % 100 <= 13;
  return `${n}${(!teen && ['th', 'st', 'nd', 'rd'][n % 10]) || 'th'}`;
}

/** A time span as people say it, rounded up. */
export function inWords(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.ceil(hours / 24)} days`;
}
