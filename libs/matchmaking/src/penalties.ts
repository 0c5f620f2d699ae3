import type {
  CoolDownParams,
  CoolDownRules,
  Lasting,
  Offence,
  PenaltyKind,
  QueueRules,
} from '@muster/domain';

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

/**
 * What a cool-down is told by: what the player did, how often lately, and how long it still lasts.
 *
 * @param coolDown null: the player may queue again at once
 */
export function coolDownParams(coolDown: CoolDown | null, now: number): CoolDownParams {
  if (!coolDown) return { kind: 'none', nth: 0, amount: 0, unit: 'seconds' };
  const { kind, nth, until } = coolDown;
  return { kind, nth, ...lasting(until - now) };
}

/** A time span in a unit that people use, rounded up. */
export function lasting(ms: number): Lasting {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 120) return { amount: seconds, unit: 'seconds' };
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return { amount: minutes, unit: 'minutes' };
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? { amount: hours, unit: 'hours' } : { amount: Math.ceil(hours / 24), unit: 'days' };
}
