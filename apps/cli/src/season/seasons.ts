import type { SeasonPreview, SeasonStandings, SeasonView } from '@muster/contracts';
import type { SeasonRules } from '@muster/domain';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import type { Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { counted, indented, plain, right, tableLines } from '@muster/command-line/terminal/table';

/** Options of `muster season begin`. */
export interface BeginOptions {
  readonly name?: string;
  readonly at?: string;
  readonly rules?: SeasonRules;
  readonly reason?: string;
}

/** Options of `muster season standings`. */
export interface StandingsOptions {
  readonly from: number;
  readonly limit: number;
  readonly players?: string;
}

export async function listSeasons(ask: Ask, pool: string): Promise<Answer> {
  const { seasons } = await ask((operator) => operator.seasons(pool));
  return {
    json: { seasons },
    text: () =>
      seasons.length === 0
        ? [`"${pool}" has no seasons yet. See "muster season begin --help".`]
        : tableLines(
            [...right('season'), 'name', 'state', 'from', 'to'],
            seasons.map((season) => [
              `${season.number}`,
              season.name,
              stateText(season),
              timeText(season.startedAt ?? season.startsAt),
              timeText(season.endedAt),
            ]),
          ),
  };
}

export async function previewSeason(
  ask: Ask,
  pool: string,
  { rules }: { readonly rules?: SeasonRules },
): Promise<Answer> {
  const preview = await ask((operator) => operator.previewSeason(pool, { rules }));
  return { json: preview, text: (ink) => previewText(preview, ink) };
}

export async function beginSeason(
  ask: Ask,
  pool: string,
  number: number,
  { name, at, rules, reason }: BeginOptions,
): Promise<Answer> {
  const season = await ask((operator) =>
    operator.beginSeason(pool, number, { name, startsAt: at, rules, reason }),
  );
  return { json: season, text: () => [begunText(season)] };
}

export async function withdrawSeason(ask: Ask, pool: string, number: number): Promise<Answer> {
  const answer = await ask((operator) => operator.withdrawSeason(pool, number));
  return { json: answer, text: () => [`Season ${number} of "${pool}" is no longer announced.`] };
}

export async function seasonStandings(
  ask: Ask,
  pool: string,
  number: number,
  { players, from, limit }: StandingsOptions,
): Promise<Answer> {
  const query = players === undefined ? { from, limit } : { players };
  const found = await ask((operator) => operator.seasonStandings(pool, number, query));
  return { json: found, text: (ink) => standingsText(found, ink) };
}

/** What a season would do. */
export function previewText(preview: SeasonPreview, ink: Ink): string[] {
  const { pool, number, players, rules, before, after, higher, lower } = preview;
  const rows: [string, (side: SeasonPreview['before']) => number][] = [
    ['mean', ({ mean }) => mean],
    ['mean uncertainty', ({ meanUncertainty }) => meanUncertainty],
    ...(['p5', 'p25', 'p50', 'p75', 'p95'] as const).map(
      (name): [string, (side: SeasonPreview['before']) => number] => [
        name === 'p50' ? 'median' : `${name.slice(1)} % are below`,
        ({ quantiles }) => quantiles[name],
      ],
    ),
  ];
  const figure = (value: number): string => plain(Number(value.toPrecision(5)));
  const sides = right('before', 'after');
  return [
    `${ink.bold(`Season ${number} of ${pool}`)} would reset ${counted(players, 'rating')}; nothing has changed`,
    '',
    ...indented([
      `keep ${plain(rules.keep)} of the distance from the start value, uncertainty at least ${plain(rules.uncertainty)} of a newcomer's, ${counted(rules.placementMatches, 'placement match', 'placement matches')}`,
      '',
      ...tableLines(
        ['', ...sides],
        rows.map(([name, of]) => [name, figure(of(before)), figure(of(after))]),
      ),
      '',
      ...tableLines(
        ['division', ...sides],
        before.divisions.map(({ name, players: many }, i) => [
          name,
          many.toLocaleString('en'),
          (after.divisions[i]?.players ?? 0).toLocaleString('en'),
        ]),
      ),
      '',
      `${counted(lower, 'player')} would be in a lower division, ${counted(higher, 'player')} in a higher one.`,
    ]),
  ];
}

/** The final standings of a season. */
export function standingsText({ season, standings }: SeasonStandings, ink: Ink): string[] {
  return [
    `${ink.bold(`${season.name} of ${season.pool}`)}: ${counted(season.ranked, 'player')} with a rank`,
    ...(standings.length === 0
      ? []
      : [
          '',
          ...indented(
            tableLines(
              [...right('rank'), 'player', 'name', ...right('rating'), 'division', ...right('matches')],
              standings.map(({ rank, playerId, name, mu, division, matches }) => [
                rank === null ? '–' : rank.toLocaleString('en'),
                playerId,
                name ?? '',
                mu === undefined ? '' : plain(Number(mu.toPrecision(5))),
                division ?? '',
                matches.toLocaleString('en'),
              ]),
            ),
          ),
        ]),
  ];
}

function begunText({ pool, number, name, state, startsAt, startedAt }: SeasonView): string {
  return state === 'announced'
    ? `Season ${number} of "${pool}", ${name}, is announced for ${timeText(startsAt)}.`
    : `Season ${number} of "${pool}", ${name}, runs since ${timeText(startedAt)}.`;
}

function stateText({ state, archivedAt }: SeasonView): string {
  return state === 'ended' && archivedAt === null ? 'ended, being archived' : state;
}

function timeText(time: number | null): string {
  return time === null ? '' : moment(time);
}
