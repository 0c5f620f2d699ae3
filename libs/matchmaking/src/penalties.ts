import type {
  CoolDownParams,
  CoolDownRules,
  Lasting,
  Offence,
  PenaltyKind,
  QueueRules,
} from '@muster/domain';

/** Path of each kind of offence in a queue's rules. */
const fieldOf = { declined: 'readyCheck', 'no-show': 'noShows', left: 'leavers' } as const satisfies Record<
  PenaltyKind,
  keyof QueueRules
>;

/** The rules of a queue for a kind of offence; undefined when there are none: the offence then has no consequence. */
export function coolDownRules(
  rules: Pick<QueueRules, 'readyCheck' | 'noShows' | 'leavers'>,
  kind: PenaltyKind,
): CoolDownRules | undefined {
  return rules[fieldOf[kind]];
}

/** The end of a cool-down, and the offence that caused it. */
export interface CoolDown {
  readonly until: number;
  readonly kind: PenaltyKind;
  /** Ordinal of the offence among those of its kind that count; from 1. */
  readonly nth: number;
}

/**
 * The cool-down of a player.
 *
 * 1. An offence is the n-th of its kind, counting those of `forgiveAfterSeconds` before it and itself.
 * 2. From its time on, the n-th entry of `coolDownSeconds` applies, the last one for all beyond.
 * 3. Of all cool-downs, the one that ends last applies.
 *
 * So one more offence never shortens it, the order of the offences does not matter, and each expires independently.
 *
 * @param offences in any order, of any kinds and queues
 * @param rulesOf the rules for an offence; undefined: none
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
 * The age up to which offences have to be read, in milliseconds: older ones have no effect.
 *
 * @param queues the rules of all queues
 * @returns 0 when no rules define penalties
 */
export function memoryMs(queues: readonly Pick<QueueRules, 'readyCheck' | 'noShows' | 'leavers'>[]): number {
  const all = queues.flatMap((rules) => Object.values(fieldOf).flatMap((field) => rules[field] ?? []));
  const longest = Math.max(0, ...all.flatMap((rules) => rules.coolDownSeconds));
  return longest === 0 ? 0 : (longest + Math.max(...all.map((rules) => rules.forgiveAfterSeconds))) * 1000;
}

/**
 * The message of a cool-down: the offence, how often it happened recently, and the remaining time.
 *
 * @param coolDown null: the player may queue again at once
 */
export function coolDownParams(coolDown: CoolDown | null, now: number): CoolDownParams {
  if (!coolDown) return { kind: 'none', nth: 0, amount: 0, unit: 'seconds' };
  const { kind, nth, until } = coolDown;
  return { kind, nth, ...lasting(until - now) };
}

/** A time span in a readable unit, rounded up. */
export function lasting(ms: number): Lasting {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 120) return { amount: seconds, unit: 'seconds' };
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return { amount: minutes, unit: 'minutes' };
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? { amount: hours, unit: 'hours' } : { amount: Math.ceil(hours / 24), unit: 'days' };
}
