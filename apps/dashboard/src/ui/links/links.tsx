import { Link } from '@tanstack/react-router';
import { Fragment, type ReactElement } from 'react';

// Every id is a link to its page. A name stands for its id, which is there on hover.
interface Of {
  readonly id: string;
  readonly name?: string | null | undefined;
}

export const PlayerLink = ({ id, name }: Of): ReactElement => (
  <Link to="/players/$playerId" params={{ playerId: id }} title={id}>
    {name ?? id}
  </Link>
);

export const MatchLink = ({ id, name }: Of): ReactElement => (
  <Link to="/matches/$matchId" params={{ matchId: id }} title={id}>
    {name ?? id}
  </Link>
);

export const TicketLink = ({ id, name }: Of): ReactElement => (
  <Link to="/tickets/$ticketId" params={{ ticketId: id }} title={id}>
    {name ?? id}
  </Link>
);

export const ServerLink = ({ id, name }: Of): ReactElement => (
  <Link to="/fleet/$serverId" params={{ serverId: id }} title={id}>
    {name ?? id}
  </Link>
);

export const QueueLink = ({ id, name }: Of): ReactElement => (
  <Link to="/queues/$queue" params={{ queue: id }} title={id}>
    {name ?? id}
  </Link>
);

export const PoolLink = ({ id, name }: Of): ReactElement => (
  <Link to="/pools/$pool" params={{ pool: id }} title={id}>
    {name ?? id}
  </Link>
);

/** Several players, with commas. */
export const PlayerLinks = ({ ids }: { readonly ids: readonly string[] }): ReactElement => (
  <>
    {ids.map((id, i) => (
      <Fragment key={id}>
        {i > 0 && ', '}
        <PlayerLink id={id} />
      </Fragment>
    ))}
  </>
);
