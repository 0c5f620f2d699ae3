import { Unsolvable, type Aspect, type PoolRules, type RatingRules } from '@muster/domain';
import type { HistoricMatch } from '@muster/lab-simulation';
import { changedRules } from '@muster/skill';
import { aspectsIn, marginsOf, medianLead, modelsFor, variantsOf, withAspect } from './candidates.js';
import { meanOf, pairedGain, type Gain } from './gain.js';
import { counted } from '@muster/command-line/terminal/table';
import type { TuneHistory } from './history.js';
import { lossesUnder, stackedLosses, type Losses } from './losses.js';

/** Rules that were tried. */
export interface Attempt {
  readonly rules: RatingRules;
  /** Whether several models were stacked; a pool has one model, so this is measured only. */
  readonly stacked: readonly string[] | null;
  /** Log-loss on the matches that choose. */
  readonly choosing: number;
  /** Log-loss on the last fifth, which chooses nothing. */
  readonly judged: number;
  /** Of log-loss on the last fifth, over the present rules. */
  readonly gain: Gain;
}

/** The outcome of a search. */
export interface Tuned {
  readonly matches: number;
  /** Decided matches by use. */
  readonly choosingMatches: number;
  readonly judgedMatches: number;
  readonly now: Attempt;
  /** Best by the choosing matches first; without the present rules. */
  readonly attempts: readonly Attempt[];
  readonly notApplicable: readonly { readonly model: string; readonly reason: string }[];
  /** Rules that predict exactly as others on this history, and are left out. */
  readonly same: readonly { readonly rules: string; readonly as: string }[];
  /** Median lead of the winners; null without scores. */
  readonly lead: number | null;
  /** The best rules by the choosing matches, if their gain on the last fifth is above 0 by its whole interval. */
  readonly better: Attempt | null;
  /** The best other rules by the choosing matches that may be chosen; null when there are none. */
  readonly best: Attempt | null;
}

/** Fewest decided matches: the last fifth has fifty of them. */
export const leastToTune = 250;

const warmUp = 0.2;
const heldOut = 0.2;
/** Models whose parameters are tried, and that are stacked. */
const refined = 3;
/** Models that can weigh scores whose margins are tried. */
const refinedByScores = 2;

/**
 * Tries models and parameters on a history.
 *
 * 1. Every model, with its default parameters.
 * 2. The parameters of the best three of these, of the present model and of Elo, one at a time.
 * 3. Margins for the best rules of the best two models that can weigh scores, if there are scores.
 * 4. For the best rules of all, each aspect that the history has, in several strengths, and none; then together those that helped:
 *    by the whole interval of their gain on the choosing matches, since a side that means nothing also fits a little.
 * 5. The best three models stacked.
 *
 * Rules that the pool refuses, as its other rules do not fit them, are not tried.
 *
 * The first fifth of the decided matches is not counted, the next three choose, and the last one tells the gain. Nothing is
 * chosen by the last fifth.
 *
 * @param onAttempt called before each attempt, with a name for it
 * @throws Error if there are too few matches, or the present rules cannot rate them
 */
export function tune(
  { matches, rules, pool }: TuneHistory,
  onAttempt: (name: string) => void = () => undefined,
): Tuned {
  onAttempt(nameOf(rules));
  const now = lossesUnder(rules, matches);
  if (typeof now === 'string') throw new Error(`The present rules cannot rate this history: ${now}`);
  if (now.length < leastToTune)
    throw new Error(
      `There ${now.length === 1 ? 'is' : 'are'} ${counted(now.length, 'match', 'matches')} with a winner; fewer than ${leastToTune} cannot tell one model from another.`,
    );
  const search = new Search(matches, now, pool ?? null, onAttempt);
  for (const each of modelsFor(rules)) search.attempt(each);
  const models = [...search.best(refined).map((attempt) => attempt.rules), rules];
  const elo = modelsFor(rules).filter(({ model }) => model === 'elo');
  const applicable = distinct([...models, ...elo]).filter(({ model }) => !search.isRefused(model));
  for (const each of applicable.flatMap(variantsOf)) search.attempt(each);
  const lead = medianLead(matches);
  const weighed = lead === null ? [] : search.best(Infinity).map((best) => marginsOf(best.rules, lead));
  for (const margins of weighed.filter(({ length }) => length > 0).slice(0, refinedByScores))
    for (const each of margins) search.attempt(each);
  search.refineByAspects(aspectsIn(matches));
  search.stack(search.best(refined).map((attempt) => attempt.rules));
  return search.outcome(rules, lead);
}

/** The attempts on one history. */
class Search {
  private readonly attempts = new Map<string, Attempt>();
  private readonly refused: { model: string; reason: string }[] = [];
  private readonly refusedModels = new Set<string>();
  private readonly same: { rules: string; as: string }[] = [];
  /** Names of rules with aspects that do not help: they are shown, and not chosen. */
  private readonly unhelpful = new Set<string>();
  private readonly losses = new Map<string, Losses>();
  private readonly from: number;
  private readonly cut: number;

  constructor(
    private readonly matches: readonly HistoricMatch[],
    private readonly now: Losses,
    /** All rules of the pool; null for a file. */
    private readonly pool: PoolRules | null,
    private readonly onAttempt: (name: string) => void,
  ) {
    this.from = Math.floor(now.length * warmUp);
    this.cut = Math.floor(now.length * (1 - heldOut));
  }

  attempt(rules: RatingRules): void {
    const name = nameOf(rules);
    if (this.attempts.has(name) || this.same.some((each) => each.rules === name)) return;
    const flaw = this.pool && changeFlaw(changeTo(rules), this.pool);
    if (flaw) return this.refuse(rules, flaw);
    this.onAttempt(name);
    const losses = lossesUnder(rules, this.matches);
    if (typeof losses === 'string') return this.refuse(rules, losses);
    const attempt = this.judged(rules, losses, null);
    const twin = this.ranked().find((each) => isSame(each, attempt));
    if (twin) this.same.push({ rules: name, as: nameOf(twin.rules) });
    else {
      this.attempts.set(name, attempt);
      this.losses.set(name, losses.slice(this.from, this.cut));
    }
  }

  private refuse(rules: RatingRules, reason: string): void {
    this.refused.push({ model: nameOf(rules), reason });
    if (Object.keys(rules.parameters).length === 0) this.refusedModels.add(rules.model);
  }

  /** Whether a model cannot be used with its default parameters. */
  isRefused(model: string): boolean {
    return this.refusedModels.has(model);
  }

  /** Tries skill by aspect on top of the best rules. */
  refineByAspects(aspects: readonly Aspect[]): void {
    const [best] = this.best(1);
    if (!best) return;
    const without = { ...best.rules, aspects: undefined };
    this.attempt(without);
    const helpful = aspects.flatMap((aspect) => {
      const tried = withAspect(best.rules, aspect);
      for (const rules of tried) this.attempt(rules);
      const names = new Set(tried.map(nameOf));
      const [first] = this.ranked().filter(({ rules }) => names.has(nameOf(rules)));
      if (first && this.isBetter(first.rules, without))
        return [[aspect, first.rules.aspects?.[aspect]] as const];
      for (const name of names) this.unhelpful.add(name);
      return [];
    });
    if (helpful.length > 1)
      this.attempt({ ...best.rules, aspects: { ...best.rules.aspects, ...Object.fromEntries(helpful) } });
  }

  /** Whether rules predict the choosing matches better than others by the whole interval of the gain. */
  private isBetter(rules: RatingRules, others: RatingRules): boolean {
    const [losses, before] = [this.losses.get(nameOf(rules)), this.losses.get(nameOf(others))];
    return losses !== undefined && before !== undefined && pairedGain(before, losses).from > 0;
  }

  stack(models: readonly RatingRules[]): void {
    if (models.length < 2) return;
    const names = models.map(({ model }) => model);
    const name = names.join(' + ');
    this.onAttempt(name);
    const losses = stackedLosses(models, this.matches);
    const [first] = models;
    if (losses && first) this.attempts.set(name, this.judged(first, losses, names));
  }

  /** The best rules of each of the best models. */
  best(count: number): Attempt[] {
    const byModel = new Map<string, Attempt>();
    for (const attempt of this.ranked())
      if (this.mayBeChosen(attempt) && !byModel.has(attempt.rules.model))
        byModel.set(attempt.rules.model, attempt);
    return [...byModel.values()].slice(0, count);
  }

  outcome(rules: RatingRules, lead: number | null): Tuned {
    const now = this.judged(rules, this.now, null);
    const attempts = this.ranked().filter(
      (attempt) => attempt.stacked || nameOf(attempt.rules) !== nameOf(rules),
    );
    const [first] = attempts.filter((attempt) => this.mayBeChosen(attempt));
    const isBetter = first && first.choosing < now.choosing && first.gain.from > 0;
    return {
      matches: this.matches.length,
      choosingMatches: this.cut - this.from,
      judgedMatches: this.now.length - this.cut,
      now,
      attempts,
      notApplicable: this.refused,
      same: this.same,
      lead,
      better: isBetter ? first : null,
      best: first ?? null,
    };
  }

  private mayBeChosen({ rules, stacked }: Attempt): boolean {
    return !stacked && !this.unhelpful.has(nameOf(rules));
  }

  private ranked(): Attempt[] {
    return [...this.attempts.values()].toSorted((a, b) => a.choosing - b.choosing);
  }

  private judged(rules: RatingRules, losses: Losses, stacked: readonly string[] | null): Attempt {
    const judged = losses.slice(this.cut);
    return {
      rules,
      stacked,
      choosing: meanOf(losses.slice(this.from, this.cut)),
      judged: meanOf(judged),
      gain: pairedGain(this.now.slice(this.cut), judged),
    };
  }
}

/** What a pool is asked to change: its other rules must fit it. */
export function changeTo({
  model,
  parameters,
  aspects,
}: RatingRules): Pick<PoolRules, 'model' | 'parameters' | 'aspects'> {
  return { model, parameters, aspects: aspects ?? null };
}

/** Whether two attempts made the same predictions: over hundreds of matches the same figures say so. */
function isSame(one: Attempt, other: Attempt): boolean {
  return Math.abs(one.choosing - other.choosing) < 1e-9 && Math.abs(one.judged - other.judged) < 1e-9;
}

/** The rules as text: the model, the parameters that are not its defaults, and the strengths of aspects. */
export function nameOf({
  model,
  parameters,
  aspects,
}: Pick<RatingRules, 'model' | 'parameters' | 'aspects'>): string {
  return [
    model,
    ...Object.entries(parameters).map(([name, value]) => `${name}=${value}`),
    ...Object.entries(aspects ?? {}).map(([name, value]) => `by ${name}=${value}`),
  ].join(' ');
}

function distinct(rules: readonly RatingRules[]): RatingRules[] {
  return [...new Map(rules.map((each) => [nameOf(each), each])).values()];
}

/** Why a pool does not accept a change of its rules, as a sentence; null if it does. */
export function changeFlaw(given: Partial<PoolRules>, before: PoolRules): string | null {
  try {
    changedRules(given, before);
    return null;
  } catch (error) {
    if (error instanceof Unsolvable) return error.message;
    throw error;
  }
}
