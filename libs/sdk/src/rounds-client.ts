import type { AnswerOf, BodyOf, RoundPlayer, RoundUpdated } from '@muster/contracts';
import { Caller } from './caller.js';
import { MusterProblem } from './problem.js';
import { SplitCache, type RoundTeams } from './split-cache.js';

/** A round as the game saw it end. */
export type Round = Omit<BodyOf<'updateRound'>, 'pool' | 'server' | 'roundId'> & {
  /** Your own id of it, so that it counts once; made up when left out. */
  readonly roundId?: string;
};
/** A round that is to be told, with all that makes it the same when it is told again. */
export type ToldRound = Omit<BodyOf<'updateRound'>, 'pool' | 'server'>;

/** Everybody on the server; ratings that are left out are read from the client’s pool, unless the roster names another. */
export type Roster = BodyOf<'checkBalance'>['roster'];
/** A policy by its name, or like that one but for what is said. */
export type Policy = NonNullable<BodyOf<'checkBalance'>['policy']>;

export interface RoundsOptions {
  /** The coordinator’s origin, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly serverKey: string;
  readonly pool: string;
  /** Which of your servers this is. */
  readonly server?: string;
  /** A call may take so long, in milliseconds: the next round does not wait. 3,000 unless told. */
  readonly timeoutMs?: number;
  /** Rounds that are kept while the coordinator is away; 8 unless told. */
  readonly keep?: number;
}

export interface RoundsHandlers {
  /** A round will never be rated: too many were waiting, or the coordinator refused it for good. */
  dropped?(round: ToldRound, why: string): void;
  /** Hears of trouble that is being mended. */
  trouble?(error: unknown): void;
}

/** What came of telling a round. */
export interface RoundTold {
  /** null while it waits to be told again, or when it was dropped. */
  readonly updated: RoundUpdated | null;
  /** Rounds that wait, this one included. */
  readonly waiting: number;
}

/**
 * A community server that plays round after round and runs no queue: tells how rounds ended, and gets even teams for the next.
 * It goes on while the coordinator is away: rounds wait in a short buffer, and the last splits stay usable.
 */
export class RoundsClient {
  private readonly caller: Caller;
  private readonly buffer: ToldRound[] = [];
  /** Rounds whose time is by the clock of this machine. */
  private readonly stamped = new WeakSet<ToldRound>();
  private readonly cache = new SplitCache();
  private telling: Promise<unknown> = Promise.resolve();
  private isPending = false;

  constructor(
    private readonly options: RoundsOptions,
    private readonly handlers: RoundsHandlers = {},
  ) {
    this.caller = new Caller(options.url, () => options.serverKey);
  }

  /** Ratings of players who connect; whoever was never seen has the pool’s start value. @throws when the coordinator is away */
  async players(playerIds: readonly string[]): Promise<RoundPlayer[]> {
    const body = { action: 'get' as const, pool: this.options.pool, playerIds: [...playerIds] };
    const { players = [] } = await this.caller.call('administerRounds', { body, ...this.once() });
    return players;
  }

  /**
   * Tells how a round ended, after those that still wait, oldest first. Repeating it never counts twice.
   *
   * @returns the new ratings, or that it waits: then it is told before the next round
   */
  roundEnded(round: Round): Promise<RoundTold> {
    const told: ToldRound = {
      ...round,
      roundId: round.roundId ?? crypto.randomUUID(),
      playedAt: round.playedAt ?? Date.now(),
    };
    if (round.playedAt === undefined) this.stamped.add(told);
    // One after the other: two that tell the buffer at once would tell it in any order.
    const telling = this.telling.then(() => this.tell(told));
    this.telling = telling.catch(() => undefined);
    return telling;
  }

  /** Tells what waits, without a new round. @returns how many still wait */
  retry(): Promise<number> {
    const telling = this.telling.then(async () => {
      await this.flush();
      return this.buffer.length;
    });
    this.telling = telling.catch(() => undefined);
    return telling;
  }

  /**
   * Asks for the best teams of every size, to have them when a scramble comes: at the end of every round, say.
   *
   * @param players everybody but spectators and those who have not picked a team
   * @returns whether they came; else the last ones stay
   */
  async prepare(
    players: BodyOf<'scrambleRound'>['players'],
    bench: BodyOf<'scrambleRound'>['bench'] = 'anyone',
  ): Promise<boolean> {
    try {
      const body = { pool: this.options.pool, players: [...players], bench };
      this.cache.keep(await this.caller.call('scrambleRound', { body, ...this.once() }));
      return true;
    } catch (error) {
      this.handlers.trouble?.(error);
      return false;
    }
  }

  /**
   * New teams for those who are there, from the last splits; asks for some when none of them fits.
   *
   * @returns null when there are none: the scramble stays pending, so try again at the next chance
   */
  async scramble(present: readonly string[]): Promise<RoundTeams | null> {
    let teams = this.cache.pick(present);
    if (teams === null && present.length >= 4) {
      await this.prepare(present.map((playerId) => ({ playerId })));
      teams = this.cache.pick(present);
    }
    this.isPending = teams === null;
    return teams;
  }

  /** Whether a scramble was asked for that no teams came of yet. */
  get scramblePending(): boolean {
    return this.isPending;
  }

  /**
   * Whether the teams of the running match are unbalanced, and who is to move. Ask when somebody dies, changes team, joins or
   * leaves, and when the answer’s `dueAt` has come.
   *
   * @param state what the last answer had; nothing when the match began
   * @param vote whether the players have just voted for even teams
   * @throws when the coordinator is away: then nobody is moved, and the state stays as it was
   */
  check(
    roster: Roster,
    policy: Policy,
    state?: AnswerOf<'checkBalance'>['state'],
    vote = false,
  ): Promise<AnswerOf<'checkBalance'>> {
    const body = { roster: this.pooled(roster), policy, vote, ...(state === undefined ? {} : { state }) };
    return this.caller.call('checkBalance', { body, ...this.once() });
  }

  /** Which team somebody who joins goes to. @throws when the coordinator is away */
  place(
    roster: Roster,
    policy: Policy,
    arrives: NonNullable<BodyOf<'placePlayer'>['arrives']>,
  ): Promise<AnswerOf<'placePlayer'>> {
    const body = { roster: this.pooled(roster), policy, arrives };
    return this.caller.call('placePlayer', { body, ...this.once() });
  }

  /**
   * Whether what has just happened calls for a scramble; `scramble` then makes the teams.
   *
   * @param state what the last answer had; nothing when the match began
   * @throws when the coordinator is away
   */
  triggered(
    roster: Roster,
    policy: Policy,
    mode: BodyOf<'askScramble'>['mode'],
    event: NonNullable<BodyOf<'askScramble'>['event']>,
    state?: AnswerOf<'askScramble'>['state'],
  ): Promise<AnswerOf<'askScramble'>> {
    const body = {
      roster: this.pooled(roster),
      policy,
      mode,
      event,
      ...(state === undefined ? {} : { state }),
    };
    return this.caller.call('askScramble', { body, ...this.once() });
  }

  /** How good the pool’s predictions were. @throws when the coordinator is away */
  async quality(): Promise<AnswerOf<'administerRounds'>['quality']> {
    const body = { action: 'quality' as const, pool: this.options.pool };
    return (await this.caller.call('administerRounds', { body, ...this.once() })).quality;
  }

  private pooled(roster: Roster): Roster {
    return { pool: this.options.pool, ...roster };
  }

  private async tell(round: ToldRound): Promise<RoundTold> {
    this.buffer.push(round);
    const updated = await this.flush();
    const most = this.options.keep ?? 8;
    while (this.buffer.length > most) {
      const oldest = this.buffer.shift();
      if (oldest) this.handlers.dropped?.(oldest, `${most} rounds wait already, and this is the oldest`);
    }
    return { updated: updated.get(round.roundId) ?? null, waiting: this.buffer.length };
  }

  private async flush(): Promise<Map<string, RoundUpdated>> {
    const updated = new Map<string, RoundUpdated>();
    const { pool, server } = this.options;
    for (let oldest = this.buffer[0]; oldest; oldest = this.buffer[0]) {
      const body = { ...oldest, pool, ...(server === undefined ? {} : { server }) };
      try {
        updated.set(oldest.roundId, await this.caller.call('updateRound', { body, ...this.once() }));
      } catch (error) {
        if (isAhead(error) && this.stamped.delete(oldest)) {
          this.handlers.trouble?.(error);
          // Our own clock is wrong: the coordinator takes the time by its own.
          this.buffer[0] = { ...oldest, playedAt: undefined };
          continue;
        }
        if (!isForGood(error)) {
          this.handlers.trouble?.(error);
          return updated;
        }
        this.handlers.dropped?.(oldest, error.message);
      }
      this.buffer.shift();
    }
    return updated;
  }

  private once(): { patienceMs: number; timeoutMs: number } {
    return { patienceMs: 0, timeoutMs: this.options.timeoutMs ?? 3_000 };
  }
}

/** The coordinator says that the round’s time has not come yet. */
function isAhead(error: unknown): boolean {
  return error instanceof MusterProblem && error.code === 'time-ahead';
}

/** A round that the coordinator will never take. A wrong key or too many calls are mended by people or time. */
function isForGood(error: unknown): error is MusterProblem {
  return error instanceof MusterProblem && [400, 404, 409, 413, 422].includes(error.status);
}
