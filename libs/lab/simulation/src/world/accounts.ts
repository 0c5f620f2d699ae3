import type { Random } from '@muster/domain';
import type { RatingModel, SkillState } from '@muster/skill';
import { drawNormal, randomOf } from '../chance/draws.js';
import { normalAt, normalBelow } from '../chance/normal.js';
import { kinds } from './kinds.js';
import type { Population } from '../population/population.js';

/** Skill bands: tenths of the population by true skill. */
export const bands = 10;

/**
 * All accounts. Known accounts are in order of true skill within their region, each at its own quantile of the population's
 * distribution, so a friend of similar skill is a neighbour. Newcomers come after them. A rating is drawn on first use,
 * from the account's own generator, independent of who plays when.
 */
export class Accounts {
  private readonly firsts: number[] = [];
  private readonly counts: number[] = [];
  private readonly known: number;
  private readonly truths: Float64Array;
  private readonly newTruths: number[] = [];
  private readonly states: (SkillState | undefined)[] = [];
  private readonly busy: Uint8Array;

  constructor(
    private readonly population: Population,
    private readonly model: RatingModel,
    private readonly seed: number,
  ) {
    const { regions, concurrentPlayers, accountsPerPlayer, skill } = population;
    const shares = regions.reduce((sum, { share }) => sum + share, 0);
    let next = 0;
    for (const { share } of regions) {
      const count = Math.max(20, Math.ceil((concurrentPlayers * accountsPerPlayer * share) / shares));
      this.firsts.push(next);
      this.counts.push(count);
      next += count;
    }
    this.known = next;
    this.busy = new Uint8Array(next);
    this.truths = new Float64Array(next);
    for (const [region, first] of this.firsts.entries()) {
      const count = this.counts[region] ?? 0;
      for (let i = 0; i < count; i++)
        this.truths[first + i] = skill.mean + skill.sigma * normalAt((i + 0.5) / count);
    }
  }

  truth(account: number): number {
    return account < this.known ? this.truths[account]! : this.newTruths[account - this.known]!;
  }

  state(account: number): SkillState {
    const held = this.states[account];
    if (held) return held;
    const { ratingError } = this.population.skill;
    const mu = this.truth(account) + ratingError * drawNormal(randomOf(this.seed, kinds.account, account));
    const state = this.model.seed({ mu, sigma: ratingError });
    this.states[account] = state;
    return state;
  }

  rate(account: number, state: SkillState): void {
    this.states[account] = state;
  }

  /** Tenth of the population by true skill, from 0. */
  band(account: number): number {
    const { mean, sigma } = this.population.skill;
    return Math.min(bands - 1, Math.floor(bands * normalBelow((this.truth(account) - mean) / sigma)));
  }

  /** A newcomer to the pool. */
  newcomer(random: Random, isSmurf: boolean): number {
    const { skill, newcomers } = this.population;
    const drawn = drawNormal(random);
    const account = this.known + this.newTruths.length;
    this.newTruths.push(skill.mean + skill.sigma * (isSmurf ? newcomers.smurfSigmas : drawn));
    this.states[account] = this.model.initial();
    return account;
  }

  /** Takes a free account of a region; null when all play. */
  anybody(region: number, random: Random): number | null {
    return this.take(region, Math.floor(random() * (this.counts[region] ?? 0)));
  }

  /** A friend: a player of similar skill in the same region. */
  friendOf(account: number, region: number, random: Random): number | null {
    const { skill, parties } = this.population;
    const wanted = this.truth(account) + parties.friendSpread * drawNormal(random);
    const count = this.counts[region] ?? 0;
    return this.take(region, Math.floor(count * normalBelow((wanted - skill.mean) / skill.sigma)));
  }

  leave(account: number): void {
    if (account < this.known) this.busy[account] = 0;
  }

  /** The free account nearest to a place in its region's order. */
  private take(region: number, wanted: number): number | null {
    const first = this.firsts[region] ?? 0;
    const count = this.counts[region] ?? 0;
    const at = Math.min(count - 1, Math.max(0, wanted));
    for (let off = 0; off < count; off++) {
      for (const place of off === 0 ? [at] : [at - off, at + off]) {
        if (place < 0 || place >= count || this.busy[first + place] === 1) continue;
        this.busy[first + place] = 1;
        return first + place;
      }
    }
    return null;
  }
}
