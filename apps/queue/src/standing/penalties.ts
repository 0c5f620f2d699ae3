import {
  readReason,
  sentenceOf,
  viewsOf,
  type Conduct,
  type EndOfMatch,
  type LiftedPenalties,
} from '@muster/contracts';
import {
  CoolingDown,
  isMassBlame,
  message,
  penaltyCounts,
  PenaltyNotFound,
  type Clock,
  type CoolDownParams,
  type Hold,
  type Ids,
  type Offence,
  type Penalty,
  type PenaltyStore,
  type QueueRules,
  type RecordedPenalty,
  type TicketStore,
} from '@muster/domain';
import { coolDownOf, coolDownParams, coolDownRules, memoryMs, type CoolDown } from '@muster/matchmaking';

/** Most penalties shown per player. */
const shown = 100;
/** Ready checks whose penalties are written concurrently. */
const settledAtOnce = 100;

/** A player's offence and the penalty for it. */
export interface PenaltyRecord {
  readonly penalties: readonly RecordedPenalty[];
  readonly coolDown: CoolDown | null;
  /** Time of the offence. */
  readonly now: number;
}

/** An offence of a player, to be penalised once. */
export interface Charge extends Offence {
  readonly playerId: string;
  readonly matchId: string;
}

/** The offences that a server reported. */
export function chargesOf({ matchId, queue, at, noShows, leavers }: Conduct): Charge[] {
  const charge = (playerId: string, kind: Charge['kind']): Charge => ({ playerId, kind, matchId, queue, at });
  return [
    ...noShows.map((playerId) => charge(playerId, 'no-show')),
    ...leavers.map((playerId) => charge(playerId, 'left')),
  ];
}

/** The offences in an update that releases players. */
export function chargesIn({ matchId, blame }: EndOfMatch): Charge[] {
  return (blame?.offences ?? []).map((offence) => ({ ...offence, matchId, queue: blame?.queue ?? '' }));
}

/** Penalties of players, and the cool-downs that the rules in force derive from them. */
export class Penalties {
  constructor(
    private readonly queues: { readonly all: readonly QueueRules[] },
    private readonly store: PenaltyStore,
    private readonly tickets: Pick<TicketStore, 'holdsOf' | 'blamed' | 'forgetBlame'>,
    private readonly clock: Clock,
    private readonly ids: Pick<Ids, 'derive'>,
  ) {}

  /**
   * Refuses players who are cooling down. The order of the steps ensures that a player who was released for an offence is
   * found penalised, on every replica:
   *
   * 1. Read which tickets hold the players. A ticket that ends for an offence ends after its penalty was written, or leaves
   *    blame.
   * 2. Write the penalties of pending blame.
   * 3. Read penalties. Those of every ticket that had ended at step 1 are among them.
   *
   * @param playerIds the leader first, who reads the refusal
   * @returns what held the players at step 1: only players whom nothing held have been checked
   * @throws CoolingDown with each player who cools down, until when and why
   */
  async check(playerIds: readonly string[]): Promise<readonly Hold[]> {
    if (memoryMs(this.queues.all) === 0) return [];
    const holds = await this.tickets.holdsOf(playerIds);
    if (holds.some(({ blamed }) => blamed)) while (await this.settle());
    const now = this.clock.now();
    const past = await this.past(playerIds, now);
    const cooling = playerIds.flatMap((playerId) => {
      const coolDown = this.coolDown(past.get(playerId) ?? [], now);
      return coolDown ? [{ playerId, ...coolDown }] : [];
    });
    if (cooling.length === 0) return holds;
    const until = Math.max(...cooling.map((each) => each.until));
    const messages = cooling.map(({ playerId, ...each }) =>
      message('penalty.outcome', {
        you: playerId === playerIds[0],
        playerId,
        ...coolDownParams(each, now),
      }),
    );
    throw new CoolingDown(sentence(`${messages.map(sentenceOf).join('; ')}.`), {
      detailMessages: viewsOf(messages),
      until,
      retryAfterSeconds: Math.ceil((until - now) / 1000),
      players: cooling.map(({ playerId, until: theirs, kind }) => ({ playerId, until: theirs, kind })),
    });
  }

  /** Returns the penalties that offences will cause. */
  async preview(playerId: string, offence: Offence): Promise<CoolDownParams> {
    const now = this.clock.now();
    const past = await this.past([playerId], now);
    const coolDown = this.coolDown([...(past.get(playerId) ?? []), offence], now);
    return coolDownParams(coolDown, now);
  }

  /** Whether so many of the players of a match are blamed that none of them is penalised. */
  isMass(queue: string, blamed: number, players: number): boolean {
    return isMassBlame(blamed, players, this.queues.all.find(({ name }) => name === queue)?.massBlameShare);
  }

  /** Writes penalties. A charge that was written before has no effect. */
  async charge(charges: readonly Charge[]): Promise<void> {
    await this.store.add(charges.map((charge) => this.penaltyFor(charge)));
  }

  /** Lifts penalties, and those that are written for the same offences later. */
  async lift({ matchId, queue, offences, at, ...why }: LiftedPenalties): Promise<void> {
    const penalties = offences.map(({ playerId, kind, at: then }) =>
      this.penaltyFor({ playerId, kind, at: then, matchId, queue }),
    );
    await this.store.lift(penalties, { at, why: readReason(why) });
  }

  private penaltyFor(charge: Charge): Penalty {
    const { matchId, playerId, kind } = charge;
    const penaltyId = this.ids.derive('pen', JSON.stringify([matchId, playerId, kind]));
    return { penaltyId, ...charge };
  }

  /**
   * Writes the penalties of failed ready checks. Idempotent and safe to run concurrently. @returns whether more may be
   * pending
   */
  async settle(): Promise<boolean> {
    const blamed = await this.tickets.blamed(settledAtOnce);
    await this.charge(
      blamed.flatMap(({ matchId, queue, playerIds, at }) =>
        playerIds.map((playerId) => ({ playerId, kind: 'declined' as const, matchId, queue, at })),
      ),
    );
    for (const { matchId } of blamed) await this.tickets.forgetBlame(matchId);
    return blamed.length === settledAtOnce;
  }

  async of(playerId: string): Promise<PenaltyRecord> {
    const penalties = await this.store.list(playerId, shown);
    const now = this.clock.now();
    const counted = penalties.filter(penaltyCounts);
    return { penalties, coolDown: this.coolDown(counted, now), now };
  }

  /** @throws PenaltyNotFound */
  async forgive(playerId: string, penaltyId: string): Promise<PenaltyRecord> {
    if (!(await this.store.forgive(playerId, penaltyId, this.clock.now())))
      throw new PenaltyNotFound(`${playerId} has no penalty ${penaltyId}.`, { playerId, penaltyId });
    return this.of(playerId);
  }

  /** A lifted penalty counts again. @throws PenaltyNotFound */
  async impose(playerId: string, penaltyId: string): Promise<PenaltyRecord> {
    if (!(await this.store.impose(playerId, penaltyId)))
      throw new PenaltyNotFound(`${playerId} has no penalty ${penaltyId}.`, { playerId, penaltyId });
    return this.of(playerId);
  }

  /** The age from which penalties do not count in any queue. */
  get memoryMs(): number {
    return memoryMs(this.queues.all);
  }

  private async past(
    playerIds: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, readonly Offence[]>> {
    // Where no rules define penalties, queueing reads none.
    const memory = memoryMs(this.queues.all);
    return memory === 0 ? new Map() : this.store.of(playerIds, now - memory);
  }

  private coolDown(offences: readonly Offence[], now: number): CoolDown | null {
    const rulesOf = ({ queue, kind }: Offence) => {
      const rules = this.queues.all.find(({ name }) => name === queue);
      return rules && coolDownRules(rules, kind);
    };
    return coolDownOf(offences, rulesOf, now);
  }
}

/** Capitalises a text that begins with `you`; a player's name stays as it is. */
function sentence(words: string): string {
  return words.startsWith('you ') ? `You${words.slice(3)}` : words;
}
