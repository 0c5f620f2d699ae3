import {
  penaltyCounts,
  type Lift,
  type Penalty,
  type PenaltyStore,
  type RecordedPenalty,
} from '@muster/domain';
import { liftedOf, penaltiesOf } from './penalty-decisions.js';

/** Penalties in memory: what the statements of the Postgres store do, applied to objects. */
export class MemoryPenaltyStore implements PenaltyStore {
  constructor(private rows: readonly RecordedPenalty[] = []) {}

  /** A store with the same penalties. */
  copy(): MemoryPenaltyStore {
    return new MemoryPenaltyStore(this.rows);
  }

  async add(penalties: readonly Penalty[]): Promise<void> {
    this.write(penaltiesOf(this.rows, penalties).map((penalty) => ({ ...penalty, forgivenAt: null })));
  }

  async lift(penalties: readonly Penalty[], lift: Lift): Promise<void> {
    this.write(liftedOf(this.rows, penalties, lift));
  }

  async impose(playerId: string, penaltyId: string): Promise<boolean> {
    const known = this.rows.find((row) => row.penaltyId === penaltyId && row.playerId === playerId);
    if (known?.lifted) this.write([{ ...known, lifted: undefined }]);
    return known !== undefined;
  }

  private write(rows: readonly RecordedPenalty[]): void {
    const ids = new Set(rows.map(({ penaltyId }) => penaltyId));
    this.rows = [...this.rows.filter(({ penaltyId }) => !ids.has(penaltyId)), ...rows];
  }

  async of(playerIds: readonly string[], since: number): Promise<ReadonlyMap<string, readonly Penalty[]>> {
    const theirs = playerIds.map((playerId) => {
      const counted = this.newest(playerId).filter((row) => penaltyCounts(row) && row.at > since);
      return [
        playerId,
        counted.map(({ forgivenAt: _forgivenAt, lifted: _lifted, ...penalty }) => penalty),
      ] as const;
    });
    return new Map(theirs.filter(([, penalties]) => penalties.length > 0));
  }

  async list(playerId: string, limit: number): Promise<RecordedPenalty[]> {
    return this.newest(playerId).slice(0, limit);
  }

  async forgive(playerId: string, penaltyId: string, now: number): Promise<boolean> {
    const known = this.rows.find((row) => row.penaltyId === penaltyId && row.playerId === playerId);
    if (known?.forgivenAt === null) this.write([{ ...known, forgivenAt: now, lifted: undefined }]);
    return known !== undefined;
  }

  private newest(playerId: string): RecordedPenalty[] {
    return this.rows
      .filter((row) => row.playerId === playerId)
      .toSorted((a, b) => b.at - a.at || (a.penaltyId < b.penaltyId ? -1 : 1));
  }
}
