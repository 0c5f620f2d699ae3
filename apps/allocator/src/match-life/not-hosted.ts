import { NotAllowed, ServerSuperseded, SessionNotFound, type ServerIdentity } from '@muster/domain';

/**
 * The error of a server that may not act for a session.
 *
 * @param request what it may do under its new registration
 */
export function notHosted(
  outcome: 'superseded' | 'not-yours' | 'unknown',
  { serverId }: ServerIdentity,
  sessionId: string,
  request: string,
): Error {
  switch (outcome) {
    case 'superseded':
      return new ServerSuperseded(
        `${serverId} has registered again; ${request} under its new registration.`,
        {
          sessionId,
        },
      );
    case 'not-yours':
      return new NotAllowed(`${serverId} does not host the session ${sessionId}.`);
    case 'unknown':
      return new SessionNotFound(`There is no session ${sessionId}.`, { sessionId });
  }
}
