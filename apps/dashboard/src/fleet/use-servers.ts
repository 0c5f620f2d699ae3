import { useMemo } from 'react';
import { usePages, type Pages } from '../live/use-pages.js';
import { useSession } from '../session/session.js';
import type { Server } from './server-state.js';

const pageSize = 1_000;

interface Servers extends Pick<Pages<unknown>, 'isWhole' | 'error' | 'again'> {
  readonly servers: readonly Server[] | undefined;
}

/** All servers. They are shown as their pages come. */
export function useServers(): Servers {
  const { calls } = useSession().operator;
  const { pages, ...state } = usePages(['fleet servers'], (cursor, limits) =>
    calls.listServers({ query: { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) } }, limits),
  );
  const servers = useMemo(() => pages?.flatMap((page) => page.servers), [pages]);
  return { ...state, servers };
}
