import type { BodyOf, CaseView, QueryOf } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import type { Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { counted, indented, plain, right, tableLines } from '@muster/command-line/terminal/table';

/** Options of `muster case list`. */
export interface ListOptions extends Pick<
  QueryOf<'listCases'>,
  'pool' | 'kind' | 'player' | 'after' | 'limit'
> {
  readonly closed: boolean;
}

export async function listCases(
  ask: Ask,
  { closed, pool, kind, player, after, limit }: ListOptions,
): Promise<Answer> {
  const state = closed ? 'closed' : 'open';
  const { cases } = await ask((operator) => operator.cases({ state, limit, pool, kind, player, after }));
  // A pool that does not exist has no cases either: the call says so.
  if (cases.length === 0 && pool !== undefined) await ask((operator) => operator.pool(pool));
  return { json: { cases }, text: () => listText(cases, closed) };
}

export async function showCase(ask: Ask, caseId: string): Promise<Answer> {
  const found = await ask((operator) => operator.case(caseId));
  return { json: found, text: (ink) => caseText(found, ink) };
}

export async function closeCase(
  ask: Ask,
  caseId: string,
  { verdict, note }: BodyOf<'closeCase'>,
): Promise<Answer> {
  const closed = await ask((operator) => operator.closeCase(caseId, { verdict, note }));
  return { json: closed, text: () => [`Case ${caseId} is closed: ${closed.verdict}.`] };
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
    ['case', 'opened', 'pool', 'kind', 'about', ...right('evidence'), closed ? 'verdict' : 'remarks'],
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
