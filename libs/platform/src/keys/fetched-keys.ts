import { LoginUnavailable, NotAuthenticated } from '@muster/domain';
import { LRUCache } from 'lru-cache';
import { setTimeout as sleep } from 'node:timers/promises';
import { BadAnswer } from './fetch-json.js';
import {
  keyFor,
  trustedKeys,
  untrusted,
  type Algorithm,
  type Claims,
  type Jwk,
  type Jwks,
  type TrustedKey,
} from './jwt.js';
import type { ReadKeys } from './key-reader.js';

/** The keys of a login. */
export interface LoginKeys {
  /** The keys' ids, for people. */
  readonly kids: readonly string[];
  /** Rises when a key is no longer trusted: what was verified with it is verified again. */
  readonly generation: number;
  /** The key that a header names; undefined if it is not known. @throws NotAuthenticated if several fit */
  find(header: Claims): TrustedKey | undefined;
  /** The key, once the login was asked for it. @throws NotAuthenticated, LoginUnavailable */
  seek(header: Claims): Promise<TrustedKey>;
}

/** Keys that are part of the settings. */
export class GivenKeys implements LoginKeys {
  readonly generation = 0;
  private readonly keys: readonly TrustedKey[];

  constructor(jwks: Jwks, algorithms: readonly Algorithm[]) {
    this.keys = trustedKeys(jwks, algorithms);
  }

  get kids(): readonly string[] {
    return kidsOf(this.keys);
  }

  find(header: Claims): TrustedKey | undefined {
    return keyFor(this.keys, header);
  }

  seek(): Promise<TrustedKey> {
    throw new NotAuthenticated(untrusted);
  }
}

/** The least time between two reads, in milliseconds. */
const floorMs = 5_000;
/**
 * How long a key is trusted after the login left it out: caches of a login disagree during a rotation. It is no longer than
 * a set without a word about its age is fresh.
 */
const graceMs = 600_000;
/** Calls that wait for a read at once. Each holds a request open. */
const mostWaiting = 2_000;
/** A set with more keys costs milliseconds to read. */
const mostKeys = 100;
const longestKid = 256;

interface Surroundings {
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** Gets errors of reading the keys. */
  readonly onError: (error: unknown) => void;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * The keys that a login publishes. They are read again when they are no longer fresh, beside the calls, and when a token names
 * a key that is not among them. There are five seconds between two reads, so a call with an unknown key waits for the
 * next one: a rotation refuses nobody, and a flood of invented keys costs a read in five seconds. Known keys verify tokens
 * meanwhile, and as long as the login does not answer or answers without a usable key.
 */
export class FetchedKeys implements LoginKeys {
  generation = 0;
  /** The latest set. */
  private set: readonly TrustedKey[] = [];
  /** Keys that it lacks, and when they end. */
  private leaving: ReadonlyMap<TrustedKey, number> = new Map();
  /** Both. */
  private keys: readonly TrustedKey[] = [];
  private staleAt = Number.NEGATIVE_INFINITY;
  private triedAt = Number.NEGATIVE_INFINITY;
  private hasFailed = false;
  private reading: Promise<void> | null = null;
  private next: Promise<void> | null = null;
  private waiting = 0;
  /** Keys that a read did not bring, and when. */
  private readonly missed = new LRUCache<string, number>({ max: 1_000 });
  private readonly pause: (ms: number) => Promise<unknown>;

  constructor(
    private readonly reader: { read(): Promise<ReadKeys> },
    private readonly algorithms: readonly Algorithm[],
    private readonly surroundings: Surroundings,
  ) {
    this.pause = surroundings.pause ?? ((ms) => sleep(ms, undefined, { ref: false }));
  }

  get kids(): readonly string[] {
    return kidsOf(this.keys);
  }

  /** Reads the keys if they are no longer fresh. Nobody waits for it. */
  refresh(): void {
    const now = this.surroundings.elapsed();
    if (now < this.staleAt || now < this.triedAt + floorMs || this.reading) return;
    void this.read();
  }

  find(header: Claims): TrustedKey | undefined {
    this.refresh();
    return keyFor(this.keys, header);
  }

  async seek(header: Claims): Promise<TrustedKey> {
    const { kid, alg } = header;
    const name = `${String(alg)} ${String(kid)}`;
    if (!this.algorithms.some((each) => each === alg) || name.length > longestKid)
      throw new NotAuthenticated(untrusted);
    const missedAt = this.missed.get(name) ?? Number.NEGATIVE_INFINITY;
    if (this.surroundings.elapsed() < missedAt + floorMs) throw new NotAuthenticated(untrusted);
    if (this.waiting >= mostWaiting)
      throw new LoginUnavailable('Too many calls wait for keys of the login; try again in a few seconds.');
    this.waiting++;
    try {
      // A read under way may be older than the key, so its answer alone refuses nobody.
      if (this.reading) await this.reading;
      const key = keyFor(this.keys, header);
      if (key) return key;
      await (this.next ??= this.readNext());
      const read = keyFor(this.keys, header);
      if (read) return read;
    } finally {
      this.waiting--;
    }
    if (this.hasFailed)
      throw new LoginUnavailable('The keys of the login cannot be read right now. Trying again is safe.');
    this.missed.set(name, this.surroundings.elapsed());
    throw new NotAuthenticated(untrusted);
  }

  private async readNext(): Promise<void> {
    await this.pause(Math.max(0, this.triedAt + floorMs - this.surroundings.elapsed()));
    this.next = null;
    await (this.reading ?? this.read());
  }

  private read(): Promise<void> {
    this.triedAt = this.surroundings.elapsed();
    this.reading = this.readNow().finally(() => (this.reading = null));
    return this.reading;
  }

  /** Keys that cannot be read are reported; those that are known stay. */
  private async readNow(): Promise<void> {
    try {
      const { jwks, freshMs } = await this.reader.read();
      const now = this.surroundings.elapsed();
      this.take(jwks ? this.usableOf(jwks) : this.set, now);
      this.staleAt = Math.min(now + freshMs, ...this.leaving.values());
      this.hasFailed = false;
    } catch (error) {
      this.hasFailed = true;
      this.surroundings.onError(error);
    }
  }

  /** @throws BadAnswer if no key of the set can be used: such a set replaces nothing */
  private usableOf(jwks: Jwks): readonly TrustedKey[] {
    if (jwks.keys.length > mostKeys) throw new BadAnswer(`The login publishes more than ${mostKeys} keys.`);
    const keys = jwks.keys.flatMap((jwk) => usable(jwk, this.algorithms));
    if (keys.length === 0)
      throw new BadAnswer(`The login publishes no key for ${this.algorithms.join(', ')}.`);
    // A key that came again is the one it was.
    return keys.map((key) => this.keys.find((each) => isSame(each, key)) ?? key);
  }

  private take(set: readonly TrustedKey[], now: number): void {
    const before = this.keys;
    const left = before.filter((key) => !set.some((each) => each.kid === key.kid));
    this.leaving = new Map(
      left
        .map((key): [TrustedKey, number] => [key, this.leaving.get(key) ?? now + graceMs])
        .filter(([, until]) => until > now),
    );
    this.set = set;
    this.keys = [...set, ...this.leaving.keys()];
    if (before.some((key) => !this.keys.includes(key))) this.generation++;
    for (const { kid, algorithm } of set) this.missed.delete(`${algorithm} ${String(kid)}`);
  }
}

/** Nothing for a key that cannot be read: a login may publish keys that this version of Node does not know. */
function usable(jwk: Jwk, algorithms: readonly Algorithm[]): readonly TrustedKey[] {
  try {
    return trustedKeys({ keys: [jwk] }, algorithms);
  } catch {
    return [];
  }
}

const isSame = (one: TrustedKey, other: TrustedKey): boolean =>
  one.kid === other.kid && one.algorithm === other.algorithm && one.pem === other.pem;

const kidsOf = (keys: readonly TrustedKey[]): readonly string[] =>
  keys.map(({ kid }) => kid ?? '(without a kid)');
