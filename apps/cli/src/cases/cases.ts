import type { CaseView } from '@muster/contracts';
import { callMuster, Connection } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { inkFor, type Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { counted, indented, plain, tableLines } from '@muster/command-line/terminal/table';

/** Options of `muster case list`. */
export interface ListOptions extends OperatorOptions {
  readonly closed: boolean;
  readonly pool?: string;
  readonly kind?: CaseView['kind'];
  readonly player?: string;
  readonly after?: string;
  readonly limit: number;
}

/** Options of `muster case close`. */
export interface CloseOptions extends OperatorOptions {
  readonly verdict: NonNullable<CaseView['verdict']>;
  readonly note?: string;
}

type Env = NodeJS.ProcessEnv;

/** @throws Error with a user-facing message, as all functions here */
export async function listCases(
  { closed, pool, kind, player, after, limit, ...options }: ListOptions,
  env: Env,
): Promise<void> {
  const connection = await Connection.open(options, env);
  const { cases } = await connection.ask((operator) =>
    operator.cases({
      state: closed ? 'closed' : 'open',
      limit,
      ...(pool === undefined ? {} : { pool }),
      ...(kind === undefined ? {} : { kind }),
      ...(player === undefined ? {} : { player }),
      ...(after === undefined ? {} : { after }),
    }),
  );
  // A pool that does not exist has no cases either: the call says so.
  if (cases.length === 0 && pool !== undefined) await connection.ask((operator) => operator.pool(pool));
  print(options.json, { cases }, () => listText(cases, closed));
}

export async function showCase(caseId: string, options: OperatorOptions, env: Env): Promise<void> {
  const found = await callMuster(options, env, (operator) => operator.case(caseId));
  print(options.json, found, () => caseText(found, inkFor(process.stdout, env)));
}

export async function closeCase(
  caseId: string,
  { verdict, note, ...options }: CloseOptions,
  env: Env,
): Promise<void> {
  const closed = await callMuster(options, env, (operator) =>
    operator.closeCase(caseId, { verdict, ...(note === undefined ? {} : { note }) }),
  );
  print(options.json, closed, () => [`Case ${caseId} is closed: ${closed.verdict}.`]);
}

const titles: Readonly<Record<CaseView['kind'], string>> = {
  newcomer: 'new account far above newcomers',
  thrown: 'matches lost on purpose',
  collusion: 'opponents who agree on outcomes',
  server: 'server whose results do not fit',
  alternate: 'new account that looks like an older one',
};

/** Cases as a table. */
export function listText(cases: readonly CaseView[], closed: boolean): string[] {
  if (cases.length === 0) return [closed ? 'No case was closed.' : 'No case is open.'];
  return tableLines(
    [
      { head: 'case' },
      { head: 'opened' },
      { head: 'pool' },
      { head: 'kind' },
      { head: 'about' },
      { head: 'evidence', right: true },
      { head: closed ? 'verdict' : 'remarks' },
    ],
    cases.map((each) => [
      each.caseId,
      moment(each.openedAt),
      each.pool,
      each.kind,
      aboutText(each),
      plain(each.evidence),
      closed ? (each.verdict ?? '') : remarks(each).join(', '),
    ]),
  );
}

/** A case for people: what speaks for it, and what against. */
export function caseText(found: CaseView, ink: Ink): string[] {
  const { caseId, kind, pool, evidence, byChance, matches, pro, contra, verdict } = found;
  const share = `${Number((100 * byChance).toPrecision(2))} %`;
  return [
    `${ink.bold(`${aboutText(found)}: ${titles[kind]}`)} (${pool}, ${caseId})`,
    '',
    ...indented([
      `evidence ${plain(evidence)} from ${counted(matches, 'match', 'matches')}; by luck at most ${share} of honest ones`,
      `opened ${moment(found.openedAt)}, last found ${moment(found.updatedAt)} after match ${found.matchId}`,
      ...remarks(found),
    ]),
    '',
    'for',
    ...indented(pro.map(({ text }) => text)),
    '',
    'against',
    ...indented(contra.map(({ text }) => text)),
    ...(verdict === null ? [] : ['', closedText(found)]),
  ];
}

function aboutText({ players, server }: CaseView): string {
  return server ?? players.join(' and ');
}

function remarks({ outdated, raised }: CaseView): string[] {
  return [
    ...(outdated ? ['the pool was rebuilt since, and the signal was not found again'] : []),
    ...(raised ? ['raised the uncertainty'] : []),
  ];
}

function closedText({ verdict, closedBy, closedAt, note }: CaseView): string {
  const when = closedAt === null ? '' : ` ${moment(closedAt)}`;
  return `closed${when} by ${closedBy}: ${verdict}${note === null ? '' : `. ${note}`}`;
}
