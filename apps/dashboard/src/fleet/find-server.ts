import type { AnswerOf } from '@muster/contracts';
import type { Server } from './server-state.js';

/** A server, and the cursor of the page that has it. */
export interface FoundServer {
  readonly server: Server;
  readonly cursor: string;
}

/**
 * Finds a server in the pages of the list, since no call reads one alone.
 *
 * @param hint the cursor of the page that had it before: it is looked at first
 * @returns null when no page has it
 */
export async function findServer(
  read: (cursor: string) => Promise<AnswerOf<'listServers'>>,
  serverId: string,
  hint = '',
): Promise<FoundServer | null> {
  const inPage = async (cursor: string): Promise<{ found: Server | undefined; next: string | null }> => {
    const { servers, next } = await read(cursor);
    return { found: servers.find((server) => server.serverId === serverId), next };
  };
  if (hint !== '') {
    const { found } = await inPage(hint);
    if (found) return { server: found, cursor: hint };
  }
  for (let cursor: string | null = ''; cursor !== null;) {
    const { found, next }: Awaited<ReturnType<typeof inPage>> = await inPage(cursor);
    if (found) return { server: found, cursor };
    cursor = next;
  }
  return null;
}
