import type { AnswerOf } from '@muster/contracts';

export type Server = AnswerOf<'listServers'>['servers'][number];

/** What an operator calls a server: what keeps matches from it counts before its state. */
export type Condition = Server['state'] | 'silent' | 'overloaded';

export function conditionOf({ state, silent, overloaded }: Server): Condition {
  if (state !== 'ready' && state !== 'draining') return state;
  if (silent) return 'silent';
  return overloaded && state === 'ready' ? 'overloaded' : state;
}

/** Which servers are looked for. Absent: any; without a state those that are there. */
export interface Wanted {
  readonly region?: string | undefined;
  readonly build?: string | undefined;
  readonly state?: string | undefined;
  /** A part of the id, of the host or of a label. */
  readonly text?: string | undefined;
}

/** The servers that are looked for. */
export function wantedOf(servers: readonly Server[], { region, build, state, text = '' }: Wanted): Server[] {
  const part = text.toLowerCase();
  return servers.filter(
    (server) =>
      (region === undefined || server.region === region) &&
      (build === undefined || server.build === build) &&
      isInState(server, state) &&
      (part === '' || textOf(server).includes(part)),
  );
}

function isInState(server: Server, state: string | undefined): boolean {
  switch (state) {
    case undefined:
      return server.state === 'ready' || server.state === 'draining';
    case 'all':
      return true;
    case 'silent':
      return server.silent;
    case 'overloaded':
      return server.overloaded && server.state === 'ready';
    default:
      return server.state === state;
  }
}

const textOf = ({ serverId, host, port, labels }: Server): string =>
  `${serverId} ${host}:${port} ${Object.values(labels).flat().join(' ')}`.toLowerCase();
