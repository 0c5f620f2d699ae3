import { isProblemCode, problemContentType, problems, type Problem } from '@muster/contracts';
import type { Heard, RawAnswer } from './raw.js';
import type { Answer } from '../support/http.js';

/** A stack trace, a path of a source, or the words of a library in an answer. */
const leaks =
  /(\n|\\n)\s+at |\.[cm]?[jt]s:\d+|node_modules|file:\/\/|Invalid (input|string|option|key)|Prisma|ReplyError/;

type Read = Pick<Answer, 'status' | 'text'> & { readonly type: string };

/**
 * What an answer says, in short: `401 not-authenticated`, or the bare status of one without a problem.
 *
 * @throws Error for an answer that tells of the inside, or whose problem document contradicts its status
 */
function told({ status, text, type }: Read): string {
  if (leaks.test(text)) throw new Error(`the answer tells of the inside: ${text.slice(0, 500)}`);
  if (!type.startsWith(problemContentType)) return String(status);
  const document = JSON.parse(text) as Problem;
  const code = document.type.replace('urn:muster:problem:', '');
  if (!isProblemCode(code) || problems[code].status !== status || document.status !== status)
    throw new Error(`${status} with the problem ${code}: ${text}`);
  return `${status} ${code}`;
}

/** What an answer says, in short. @throws Error for one that leaks, or that has a header of the attacker */
export function seenIn({ status, text, headers }: Answer): string {
  if ('x-evil' in headers) throw new Error('a header of the attacker is in the answer');
  return told({ status, text, type: headers['content-type'] ?? '' });
}

/** What came back on a connection, in short: its answers in order, and `closed` if it was closed. */
export function heardIn({ answers, isClosed, rest }: Heard): string {
  const said = answers.map(toldRaw);
  return [...said, ...(rest === '' ? [] : ['bytes']), ...(isClosed ? ['closed'] : [])].join(', ');
}

function toldRaw({ status, text, headers }: RawAnswer): string {
  if (headers.has('x-evil')) throw new Error('a header of the attacker is in the answer');
  return told({ status, text, type: headers.get('content-type') ?? '' });
}

/** How often each thing was seen, the most frequent first: `8 of 1,024: 200; 1,016: 429 too-many-open`. */
export function countsOf(seen: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const each of seen) counts.set(each, (counts.get(each) ?? 0) + 1);
  return new Map([...counts].toSorted((one, other) => other[1] - one[1]));
}

/** The only thing that was seen, or all with their counts. */
export function allOf(seen: readonly string[]): string {
  const counts = [...countsOf(seen)];
  const [[only = ''] = []] = counts;
  return counts.length === 1 ? only : counts.map(([what, times]) => `${times} × ${what}`).join(', ');
}
