import type { AnswerOf } from '@muster/contracts';
import type { OperatorClient } from '@muster/sdk';

export type Match = AnswerOf<'listMatches'>['matches'][number];

const pageSize = 100;
/** More running matches of all servers are not looked at. */
const mostPages = 5;

/** Running matches of a server, and whether all of its sessions were found. */
export interface Running {
  readonly matches: readonly Match[];
  readonly isWhole: boolean;
}

/**
 * The running matches of a server, newest first. A list of matches by server is of those that ended, so all running ones are looked at,
 * until each session is found.
 *
 * @param sessions that the server has
 */
export async function runningOn(
  read: (cursor: string) => Promise<AnswerOf<'listMatches'>>,
  serverId: string,
  sessions: number,
): Promise<Running> {
  const matches: Match[] = [];
  let cursor: string | null = '';
  for (let page = 0; page < mostPages && cursor !== null && matches.length < sessions; page++) {
    const answer: AnswerOf<'listMatches'> = await read(cursor);
    matches.push(...answer.matches.filter((match) => match.serverId === serverId));
    cursor = answer.next;
  }
  return { matches, isWhole: cursor === null || matches.length >= sessions };
}

/** Reads a page of the running matches of all servers. */
export const readRunning =
  (calls: OperatorClient['calls'], signal: AbortSignal) =>
  (cursor: string): Promise<AnswerOf<'listMatches'>> =>
    calls.listMatches(
      { query: { state: 'placed', limit: pageSize, ...(cursor === '' ? {} : { cursor }) } },
      { signal },
    );
