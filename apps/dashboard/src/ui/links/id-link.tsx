import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Named, NamedId } from './ids.js';
import { MatchLink, PlayerLink, PoolLink, QueueLink, ServerLink, TicketLink } from './links.js';

interface Of {
  readonly id: string;
}

export const CaseLink = ({ id }: Of): ReactElement => (
  <Link to="/cases/$caseId" params={{ caseId: id }}>
    {id}
  </Link>
);

export const WebhookLink = ({ id }: Of): ReactElement => (
  <Link to="/webhooks/$webhookId" params={{ webhookId: id }}>
    {id}
  </Link>
);

const links: Readonly<Record<Named, (of: Of) => ReactElement>> = {
  player: PlayerLink,
  match: MatchLink,
  ticket: TicketLink,
  server: ServerLink,
  queue: QueueLink,
  pool: PoolLink,
  case: CaseLink,
  webhook: WebhookLink,
};

/** An id of any kind, as a link to its page. */
export function IdLink({ of, id }: NamedId): ReactElement {
  const LinkOf = links[of];
  return <LinkOf id={id} />;
}

/** Several of them, each with what it is of, with commas between. */
export function IdLinks({ ids }: { readonly ids: readonly NamedId[] }): ReactElement {
  return (
    <>
      {ids.map(({ of, id }, i) => (
        <span key={`${of} ${id}`}>
          {i > 0 && ', '}
          {of} <IdLink of={of} id={id} />
        </span>
      ))}
    </>
  );
}
