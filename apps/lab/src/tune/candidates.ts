import { aspects, type Aspect, type RatingRules } from '@muster/domain';
import type { HistoricMatch } from '@muster/lab-simulation';
import { modelKinds, teamScores, type ModelParameters } from '@muster/skill';

/** Parameters that are tried: each differs from the model's defaults in one respect. */
const grids = new Map<string, readonly ModelParameters[]>(
  Object.entries<readonly ModelParameters[]>({
    elo: [{ k: 16 }, { k: 64 }, { kRule: 'decay', decayA: 250, decayB: 5, decayC: 0.4 }],
    'openskill-plackett-luce': grid([25 / 24, 25 / 6, 25 / 3], [25 / 100, 25 / 30]),
    'openskill-bradley-terry-full': grid([25 / 24, 25 / 6, 25 / 3], [25 / 100, 25 / 30]),
    'openskill-bradley-terry-part': [
      ...grid([25 / 24, 25 / 6], [25 / 100, 25 / 30]),
      { reach: 1 },
      { reach: 16 },
    ],
    'openskill-thurstone-mosteller-full': grid([25 / 12, 25 / 3], [25 / 100, 25 / 30]),
    'openskill-thurstone-mosteller-part': grid([25 / 12, 25 / 3], [25 / 100, 25 / 30]),
    trueskill: grid([25 / 12, 25 / 3], [25 / 100, 25 / 30]),
    glicko2: [{ tau: 0.2 }, { tau: 1.2 }, { volatility: 0.03 }, { volatility: 0.12 }],
    hive: [{ alpha: 2 }, { alpha: 8 }],
  }),
);

function grid(betas: readonly number[], taus: readonly number[]): ModelParameters[] {
  const rounded = (value: number): number => Number(value.toPrecision(4));
  return [...betas.map((beta) => ({ beta: rounded(beta) })), ...taus.map((tau) => ({ tau: rounded(tau) }))];
}

/** Of the median lead, these are tried as margins. */
const marginFactors = [0.5, 1, 2];

/** Every model with its default parameters. */
export function modelsFor(rules: RatingRules): RatingRules[] {
  return modelKinds.map(({ name }) => withModel(rules, name, {}));
}

/** Rules with other parameters of their model, one at a time. */
export function variantsOf(rules: RatingRules): RatingRules[] {
  const variants = grids.get(rules.model) ?? [];
  return variants.map((parameters) => withModel(rules, rules.model, { ...rules.parameters, ...parameters }));
}

/** Rules in which scores weigh results, where the model can. */
export function marginsOf(rules: RatingRules, lead: number): RatingRules[] {
  const kind = modelKinds.find(({ name }) => name === rules.model);
  if (!kind || !('margin' in kind.parameters)) return [];
  return marginFactors.map((factor) =>
    withModel(rules, rules.model, { ...rules.parameters, margin: Number((factor * lead).toPrecision(2)) }),
  );
}

/** These are tried as strengths of an aspect, in log-odds of a team. */
const strengths = [0.1, 0.3, 1];

/** Rules that also rate players by an aspect, by its strength. */
export function withAspect(rules: RatingRules, aspect: Aspect): RatingRules[] {
  return strengths.map((strength) => ({ ...rules, aspects: { ...rules.aspects, [aspect]: strength } }));
}

/** The aspects of which a history has at least two values; with one value the aspect is the common skill. */
export function aspectsIn(matches: readonly HistoricMatch[]): Aspect[] {
  const values = new Map(aspects.map((aspect) => [aspect, new Set<string>()]));
  const add = (aspect: Aspect, value: string | undefined): void => {
    if (value !== undefined) values.get(aspect)?.add(value);
  };
  for (const { situation, facts } of matches) {
    for (const side of situation?.sides ?? []) add('side', side);
    add('map', situation?.map);
    add('venue', situation?.venue);
    for (const { role } of facts?.flat() ?? []) add('role', role);
  }
  return aspects.filter((aspect) => (values.get(aspect)?.size ?? 0) > 1);
}

/** The median lead of the winners of two teams; null if fewer than half of these matches have scores. */
export function medianLead(matches: readonly HistoricMatch[]): number | null {
  const duels = matches.filter(({ ranks }) => ranks.length === 2 && ranks[0] !== ranks[1]);
  const leads = duels
    .map(({ players, facts }) => teamScores({ teams: players.map((team) => team.map(() => ({}))), facts }))
    .flatMap((scores) => (scores ? [Math.abs((scores[0] ?? 0) - (scores[1] ?? 0))] : []))
    .filter((lead) => lead > 0)
    .toSorted((a, b) => a - b);
  return leads.length * 2 < duels.length || leads.length === 0 ? null : (leads[leads.length >> 1] ?? null);
}

function withModel(rules: RatingRules, model: string, parameters: ModelParameters): RatingRules {
  return { ...rules, model, parameters };
}
