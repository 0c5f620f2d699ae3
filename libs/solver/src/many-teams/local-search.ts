import { seededRandom, type Random } from '@muster/domain';
import { Annealing } from './annealing.js';
import { keepsAll, type Arrangement, type BestTeams } from './arrangement.js';
import type { Budget } from '../problem/budget.js';
import { GreedyStarts } from './greedy-starts.js';
import { rebalancePairs, shaken } from './pairwise.js';
import { Seating } from './seating.js';
import { settle, widths } from './settle.js';
import { Standing } from './standing.js';
import type { Teams } from './team-search.js';

/** Meeting the players of two large teams takes millions of steps; this many may be spent on it, once: about a second. */
const mostSettling = 150_000_000;
/** First temperatures of annealing, in turn: from all over the space, from near the best, from between. */
const heats = [0.3, 0.1, 1] as const;
/** Exchanges that the first annealing proposes; every second one is twice as long, up to this number of doublings. */
const fewestProposals = 500;
const mostDoublings = 10;
/** It does not end for lack of improvement before: about 30 ms. */
const fewestSteps = 3_000_000;
/** Splitting two teams at a time takes at most about one step of so many, where players are tied. */
const shareOfRefining = 20;
/** Steps of greedy starts before anything else, where players are tied: about a millisecond. */
const stepsOfStarts = 100_000;

/**
 * Improves the best teams of a list for as long as it is run, in turns. A turn refines the best teams finely (players who
 * are alone by settling, others by splitting two teams at a time anew), or looks for others: half of it by annealing, half
 * by greedy starts, so that it never falls far behind a plain search of that kind.
 */
export class LocalSearch {
  private turn = 0;
  /** The value of the teams that were refined last. */
  private refined = Infinity;
  /** Steps spent on refining teams of tied players, and those of the first time, which others come before. */
  private refining = 50_000;
  /** The least value after the last turn, and the step after which it was first known. */
  private known = Infinity;
  private improvedAt = 0;
  private readonly random: Random;
  private readonly annealing: Annealing;
  private readonly starts: GreedyStarts;

  /**
   * @param list has teams that satisfy the constraints
   * @param least what no teams are more even than
   */
  constructor(
    private readonly arrangement: Arrangement,
    private readonly list: BestTeams,
    private readonly least: number,
    seed: number,
    private readonly budget: Budget,
  ) {
    this.random = seededRandom(seed);
    const seating = new Seating(arrangement);
    this.annealing = new Annealing(seating, seededRandom(seed + 1));
    this.starts = new GreedyStarts(seating, seededRandom(seed + 2));
  }

  /**
   * Runs until the bound is reached, after this number of turns, or once the budget has counted so many steps.
   *
   * @param patience ends, too, when so many times the steps up to the last improvement have brought no other
   * @returns whether it ended for lack of improvement
   * @throws OutOfTime after which the list holds the result so far
   */
  run(turns: number, untilStep: number, patience = Infinity): boolean {
    const { arrangement, list, budget } = this;
    for (let i = 0; i < turns && list.threshold > this.least && budget.operations < untilStep; i++) {
      if (this.isVain(patience)) return true;
      const turn = this.turn++;
      if (arrangement.lone && turn % 2 === 0) this.settle(turn / 2, untilStep);
      else if (arrangement.lone) this.explore(turn >> 1);
      else if (turn === 0) this.startGreedily(stepsOfStarts);
      else if (this.mayRefine()) this.rebalance();
      else this.explore(turn - 1);
    }
    return false;
  }

  private isVain(patience: number): boolean {
    const { operations } = this.budget;
    const { value } = this.list.items[0]!;
    if (value < this.known) this.improvedAt = operations;
    this.known = value;
    return operations > fewestSteps && operations > (1 + patience) * this.improvedAt;
  }

  /** Anneals from the best, then starts greedily for as many steps. */
  private explore(turn: number): void {
    const { list, budget, annealing } = this;
    const proposals = fewestProposals * 2 ** Math.min(mostDoublings, turn >> 1);
    const before = budget.operations;
    annealing.cool(list.items[0]!.teams, heats[turn % heats.length]!, proposals, list, budget);
    this.startGreedily(budget.operations - before);
  }

  private startGreedily(steps: number): void {
    const { list, budget, starts } = this;
    const end = budget.operations + steps;
    while (budget.operations < end && list.threshold > this.least) starts.start(list, budget);
  }

  /** Whether the best teams have changed, and little time was spent on this. */
  private mayRefine(): boolean {
    const { list, budget } = this;
    return list.items[0]!.value < this.refined && shareOfRefining * this.refining < budget.operations;
  }

  private rebalance(): void {
    const { arrangement, list, budget } = this;
    const from = budget.operations;
    this.keep(list.items[0]!.teams, (standing) => rebalancePairs(arrangement, standing, budget));
    this.refined = list.items[0]!.value;
    this.refining += budget.operations - from;
  }

  /** From the best; later from near it and from further away, in turn: the optimum may be beyond a local one. */
  private settle(start: number, end: number): void {
    const best = this.list.items[0]!.teams;
    const from = start === 0 ? best : shaken(best, 1 + ((start - 1) % 3), this.random);
    this.keep(from, (standing) => this.settleAll(standing, start === 0, end));
  }

  /** Widths from quick to thorough: the first time without a limit, later within the step limit. */
  private settleAll(standing: Standing, isFirst: boolean, end: number): void {
    const { arrangement, least, random, budget } = this;
    const largest = arrangement.problem.teamSizes.toSorted((a, b) => b - a);
    const fewest = Math.min(20, largest[0]! + largest[1]! - 1);
    // The first width was tried already; from near the best, quick ones find nothing new.
    for (const width of widths) {
      if (width === widths[0] || (!isFirst && width < fewest)) continue;
      settle(arrangement, standing, width, least, isFirst ? end + mostSettling : end, random, budget);
      if (width >= largest[0]! + largest[1]!) return;
    }
  }

  /** Changes teams, and offers the result even when time runs out. */
  private keep(teams: Teams, change: (standing: Standing) => void): void {
    const standing = new Standing(this.arrangement, teams);
    try {
      change(standing);
    } finally {
      if (keepsAll(this.arrangement, standing.teams)) this.list.offer(standing.evened);
    }
  }
}
