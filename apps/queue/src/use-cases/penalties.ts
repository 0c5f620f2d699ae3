import type { Conduct } from '@muster/contracts';
import {
  CoolingDown,
  PenaltyNotFound,
  type Clock,
  type Ids,
  type Offence,
  type PenaltyStore,
  type QueueRules,
  type RecordedPenalty,
} from '@muster/domain';
import { coolDownOf, coolDownRules, explainCoolDown, memoryMs, type CoolDown } from '@muster/matchmaking';

/** How many of a player's penalties are shown. */
const shown = 100;

/** What a player was penalised for, and what comes of it. */
export interface PenaltyRecord {
  readonly penalties: readonly RecordedPenalty[];
  readonly coolDown: CoolDown | null;
  /** When this was so. */
  readonly now: number;
}

/** An offence of a player, to be penalised once. */
export interface Charge extends Offence {
  readonly playerId: string;
  readonly matchId: string;
}

/** The offences that a server told of. */
export function chargesOf({ matchId, queue, at, noShows, leavers }: Conduct): Charge[] {
  const charge = (playerId: string, kind: Charge['kind']): Charge => ({ playerId, kind, matchId, queue, at });
  return [
    ...noShows.map((playerId) => charge(playerId, 'no-show')),
    ...leavers.map((playerId) => charge(playerId, 'left')),
  ];
}

/** Penalties of players, and the cool-downs that the rules in force make of them. */
export class Penalties {
  constructor(
    private readonly queues: { readonly all: readonly QueueRules[] },
    private readonly store: PenaltyStore,
    private readonly clock: Clock,
    private readonly ids: Pick<Ids, 'derive'>,
  ) {}

  /** Lets nobody queue who cools down. @throws CoolingDown that names everybody who does, until when and why */
  async check(playerIds: readonly string[]): Promise<void> {
    const now = this.clock.now();
    const past = await this.past(playerIds, now);
    const cooling = playerIds.flatMap((playerId) => {
      const coolDown = this.coolDown(past.get(playerId) ?? [], now);
      return coolDown ? [{ playerId, ...coolDown }] : [];
    });
    if (cooling.length === 0) return;
    const until = Math.max(...cooling.map((each) => each.until));
    throw new CoolingDown(
      `${cooling.map((each) => `${each.playerId} ${explainCoolDown(each, now)}`).join('; ')}.`,
      {
        until,
        retryAfterSeconds: Math.ceil((until - now) / 1000),
        players: cooling.map(({ playerId, until: theirs, kind }) => ({ playerId, until: theirs, kind })),
      },
    );
  }

  /** What will come of an offence, in words that follow the player's name. */
  async foretell(playerId: string, offence: Offence): Promise<string> {
    const now = this.clock.now();
    const past = await this.past([playerId], now);
    const coolDown = this.coolDown([...(past.get(playerId) ?? []), offence], now);
    return coolDown ? explainCoolDown(coolDown, now) : 'may queue again at once';
  }

  /** Writes penalties down. A charge that was written before changes nothing. */
  async charge(charges: readonly Charge[]): Promise<void> {
    await this.store.add(
      charges.map((charge) => {
        const { matchId, playerId, kind } = charge;
        const penaltyId = this.ids.derive('pen', JSON.stringify([matchId, playerId, kind]));
        return { penaltyId, ...charge };
      }),
    );
  }

  async of(playerId: string): Promise<PenaltyRecord> {
    const penalties = await this.store.list(playerId, shown);
    const counted = penalties.filter(({ forgivenAt }) => forgivenAt === null);
    const now = this.clock.now();
    return { penalties, coolDown: this.coolDown(counted, now), now };
  }

  /** @throws PenaltyNotFound */
  async forgive(playerId: string, penaltyId: string): Promise<PenaltyRecord> {
    if (!(await this.store.forgive(playerId, penaltyId, this.clock.now())))
      throw new PenaltyNotFound(`${playerId} has no penalty ${penaltyId}.`, { playerId, penaltyId });
    return this.of(playerId);
  }

  private async past(
    playerIds: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, readonly Offence[]>> {
    // Where no rules speak of penalties, queueing does not read any.
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
