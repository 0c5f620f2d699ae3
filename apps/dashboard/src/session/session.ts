import { endpointOf, mayAct, type EndpointName, type OperatorView } from '@muster/contracts';
import { OperatorClient } from '@muster/sdk';
import { createContext, useContext } from 'react';

/** Who is signed in, and their calls. */
export interface Session {
  readonly operator: OperatorClient;
  readonly who: OperatorView;
  /** @param why what the person is told */
  readonly signOut: (why?: string) => void;
}

const SessionContext = createContext<Session | null>(null);
export const SessionProvider = SessionContext.Provider;

/** The session. @throws Error outside of the pages of a signed-in operator */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('Nobody is signed in.');
  return session;
}

/** Whether the role of the operator may make a call. */
export function useMay(): (call: EndpointName) => boolean {
  const { role: own } = useSession().who;
  return (call) => {
    const { role } = endpointOf(call);
    return role === undefined || mayAct(own, role);
  };
}

/** A client with a key or a token. Failed calls are shown at once, and repeated by whoever looks at them. */
export const clientWith = (key: string): OperatorClient =>
  new OperatorClient({ url: window.location.origin, operatorKey: key, patienceMs: 0 });
