import { MusterProblem, RefuseSession, ServerClient } from '@muster/sdk';

/** What the process is told by its hoster or its orchestrator. */
export interface Surroundings {
  readonly url: string;
  readonly serverKey: string;
  readonly serverId: string;
  readonly host: string;
  readonly port: number;
  /** From MUSTER_ALLOCATION, or the annotation muster-allocation of an Agones game server. */
  readonly allocation: string | undefined;
  /** Ends the process; Agones: `Shutdown`. */
  shutDown(): void;
}

/** Registers a server that hosts one match and then ends. @returns the client, or null if the server is not wanted */
export async function runServer(around: Surroundings): Promise<ServerClient | null> {
  const { url, serverKey, shutDown, ...own } = around;
  const server = { ...own, region: 'eu', build: '1.4.2', slots: 1 };
  let used = false;
  const client = new ServerClient(
    { url, serverKey, server },
    {
      createSession: async () => {
        if (used) throw new RefuseSession('this server hosts one match');
        used = true;
      },
      endSession: () => void client.stop().then(shutDown),
      released: shutDown,
    },
  );
  try {
    await client.start();
    return client;
  } catch (error) {
    // `released` was called: the allocation is over, or another server has it.
    if (error instanceof MusterProblem && error.code.startsWith('allocation-')) return null;
    throw error;
  }
}
