import { whyOf, type PlacementView } from '@muster/contracts';
import { message, type Message, type RatingPool } from '@muster/domain';
import { readPoolFit, type SkillRegression, type PoolFit } from '@muster/skill';
import type { PostgresRatings } from '../core/ratings.store.js';
import { sameRules } from './fit-pools.js';
import type { PostgresStatsFits, StatsFit } from './stats-fits.store.js';

/** Says whether pools seed newcomers by their stats, and why. */
export class ReadFit {
  constructor(
    private readonly ratings: Pick<PostgresRatings, 'pool'>,
    private readonly fits: Pick<PostgresStatsFits, 'fit'>,
  ) {}

  /** @throws UnknownPool */
  async of(name: string): Promise<PlacementView> {
    const pool = await this.ratings.pool(name);
    const record = await this.fits.fit(name);
    const fit = record?.fit ? readPoolFit(record.fit) : null;
    const { used, said } = verdict(pool, record, fit);
    return {
      pool: name,
      used,
      ...whyOf([said]),
      rules: pool.rules.placement ?? null,
      fit: record && fit ? fitView(record, fit) : null,
    };
  }
}

function verdict(
  { name, generation, rules }: RatingPool,
  record: StatsFit | null,
  fit: PoolFit | null,
): { readonly used: boolean; readonly said: Message } {
  const unused = (said: Message): { used: false; said: Message } => ({ used: false, said });
  if (!rules.placement) return unused(message('stats.off', { pool: name }));
  if (!record) return unused(message('stats.unfitted'));
  if (record.generation !== generation || !sameRules(record.rules, rules.placement))
    return unused(message('stats.outdated'));
  if (record.refusal !== null) return unused(message('stats.refused', { detail: record.refusal }));
  if (!fit) return unused(message('stats.unfitted'));
  const explained = 100 * fit.model.fit.heldOutR2;
  return {
    used: true,
    said: message('stats.used', { explained, asked: 100 * rules.placement.leastR2 }),
  };
}

function fitView(record: StatsFit, fit: PoolFit): NonNullable<PlacementView['fit']> {
  const { model, incomplete, reliability } = fit;
  const { rows, players, r2, heldOutR2, heldOutError, errorOfMean } = model.fit;
  return {
    fittedAt: record.fittedAt,
    matches: record.statsMatches,
    rows,
    players,
    incomplete,
    r2,
    heldOutR2,
    heldOutError,
    errorOfMean,
    reliability,
    stats: model.columns
      .map(({ feature }, i) => ({ name: nameOf(feature), weight: model.weights[i] ?? 0 }))
      .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight)),
  };
}

function nameOf(feature: SkillRegression['columns'][number]['feature']): string {
  if (feature.kind === 'number') return feature.name;
  return feature.kind === 'category' ? `${feature.name} = ${feature.value}` : `${feature.name}: others`;
}
