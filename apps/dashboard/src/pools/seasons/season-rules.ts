import type { AnswerOf } from '@muster/contracts';
import type { Field, Values } from '../../ui/action.js';
import { ruleWords } from '../rules-of-pool.js';

export type SeasonRules = AnswerOf<'previewSeason'>['rules'];
export type Season = AnswerOf<'listSeasons'>['seasons'][number];

/** What a pool begins its next season with when nothing else is said. */
export const usualRules: SeasonRules = { keep: 0.75, uncertainty: 0.5, placementMatches: 10 };

/** What is asked about a season’s rules. */
export const seasonFields = (rules: SeasonRules): readonly Field[] => [
  {
    name: 'keep',
    label: 'Keep',
    kind: 'number',
    min: 0,
    max: 1,
    initial: rules.keep,
    description:
      'Share of the distance from the start value that a rating keeps: 0 resets everybody, 1 keeps all.',
  },
  {
    name: 'uncertainty',
    label: 'Uncertainty',
    kind: 'number',
    min: 0,
    max: 1,
    initial: rules.uncertainty,
    description: 'The least uncertainty after the reset, as a share of a newcomer’s; 0 keeps it.',
  },
  {
    name: 'placementMatches',
    label: 'Placement matches',
    kind: 'number',
    min: 0,
    max: 1_000,
    initial: rules.placementMatches,
    description: 'Matches in the season before a player’s division is shown again.',
  },
];

export const seasonRulesIn = (values: Values): SeasonRules => ({
  keep: Number(values['keep']),
  uncertainty: Number(values['uncertainty']),
  placementMatches: Number(values['placementMatches']),
});

export const seasonRuleWords = ({ keep, uncertainty, placementMatches }: SeasonRules): string =>
  ruleWords({ keep, uncertainty, 'placement matches': placementMatches });

/** The number of the next season: that of an announcement, or one more than the last that began. */
export function nextNumber(seasons: readonly Pick<Season, 'number' | 'state'>[]): number {
  const begun = seasons.filter(({ state }) => state !== 'announced').map(({ number }) => number);
  return Math.max(0, ...begun) + 1;
}

/** A division before and after a season’s start. */
export interface DivisionChange {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

type Distribution = AnswerOf<'previewSeason'>['before'];

/** Players by division, from the highest, as players look at it. */
export function divisionChanges(before: Distribution, after: Distribution): readonly DivisionChange[] {
  const then = new Map(after.divisions.map(({ name, players }) => [name, players]));
  return before.divisions
    .map(({ name, players }) => ({ name, before: players, after: then.get(name) ?? 0 }))
    .toReversed();
}
