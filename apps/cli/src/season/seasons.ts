import type { SeasonPreview, SeasonStandings, SeasonView } from '@muster/contracts';
import { callMuster } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { inkFor, type Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { counted, indented, plain, tableLines } from '@muster/command-line/terminal/table';
import type { SeasonRulesOption } from './options.js';

/** Options of `muster season begin`. */
export interface BeginOptions extends OperatorOptions {
  readonly name?: string;
  readonly at?: string;
  readonly rules?: SeasonRulesOption;
  readonly reason?: string;
}

/** Options of `muster season standings`. */
export interface StandingsOptions extends OperatorOptions {
  readonly from: number;
  readonly limit: number;
  readonly players?: string;
}

type Env = NodeJS.ProcessEnv;

/** @throws Error with a user-facing message, as all functions here */
export async function listSeasons(pool: string, options: OperatorOptions, env: Env): Promise<void> {
  const { seasons } = await callMuster(options, env, (operator) => operator.seasons(pool));
  print(options.json, { seasons }, () =>
    seasons.length === 0
      ? [`"${pool}" has no seasons yet. See "muster season begin --help".`]
      : tableLines(
          [
            { head: 'season', right: true },
            { head: 'name' },
            { head: 'state' },
            { head: 'from' },
            { head: 'to' },
          ],
          seasons.map((season) => [
            `${season.number}`,
            season.name,
            stateText(season),
            timeText(season.startedAt ?? season.startsAt),
            timeText(season.endedAt),
          ]),
        ),
  );
}

export async function previewSeason(
  pool: string,
  options: OperatorOptions & { readonly rules?: SeasonRulesOption },
  env: Env,
): Promise<void> {
  const { rules } = options;
  const preview = await callMuster(options, env, (operator) =>
    operator.previewSeason(pool, rules ? { rules } : {}),
  );
  print(options.json, preview, () => previewText(preview, inkFor(process.stdout, env)));
}

export async function beginSeason(
  pool: string,
  number: number,
  options: BeginOptions,
  env: Env,
): Promise<void> {
  const { name, at, rules, reason } = options;
  const season = await callMuster(options, env, (operator) =>
    operator.beginSeason(pool, number, {
      ...(name === undefined ? {} : { name }),
      ...(at === undefined ? {} : { startsAt: at }),
      ...(rules ? { rules } : {}),
      ...(reason === undefined ? {} : { reason }),
    }),
  );
  print(options.json, season, () => [begunText(season)]);
}

export async function withdrawSeason(
  pool: string,
  number: number,
  options: OperatorOptions,
  env: Env,
): Promise<void> {
  const answer = await callMuster(options, env, (operator) => operator.withdrawSeason(pool, number));
  print(options.json, answer, () => [`Season ${number} of "${pool}" is no longer announced.`]);
}

export async function seasonStandings(
  pool: string,
  number: number,
  { players, from, limit, ...options }: StandingsOptions,
  env: Env,
): Promise<void> {
  const query = players === undefined ? { from, limit } : { players };
  const found = await callMuster(options, env, (operator) => operator.seasonStandings(pool, number, query));
  print(options.json, found, () => standingsText(found, inkFor(process.stdout, env)));
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
  const columns = [{ head: '' }, { head: 'before', right: true }, { head: 'after', right: true }];
  return [
    `${ink.bold(`Season ${number} of ${pool}`)} would reset ${counted(players, 'rating')}; nothing has changed`,
    '',
    ...indented([
      `keep ${plain(rules.keep)} of the distance from the start value, uncertainty at least ${plain(rules.uncertainty)} of a newcomer's, ${counted(rules.placementMatches, 'placement match', 'placement matches')}`,
      '',
      ...tableLines(
        columns,
        rows.map(([name, of]) => [name, figure(of(before)), figure(of(after))]),
      ),
      '',
      ...tableLines(
        [{ head: 'division' }, ...columns.slice(1)],
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
              [
                { head: 'rank', right: true },
                { head: 'player' },
                { head: 'name' },
                { head: 'rating', right: true },
                { head: 'division' },
                { head: 'matches', right: true },
              ],
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
