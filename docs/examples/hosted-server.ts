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

/** Registers a server that hosts one match. @returns the client, or null if the server is not wanted */
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
        // When the match is over: `client.report`, then `retire(client, shutDown)`.
      },
      endSession: () => void retire(client, shutDown),
      released: shutDown,
    },
  );
  try {
    await client.start();
  } catch (error) {
    // `released` was called: the allocation is over, or another server has it.
    if (error instanceof MusterProblem && error.code.startsWith('allocation-')) return null;
    throw error;
  }
  // Nobody needs it: another match took a slot that became free.
  setTimeout(() => void (used || retire(client, shutDown)), 300_000);
  return client;
}

/** Leaves and ends the process, unless a session has just come. */
export async function retire(client: ServerClient, shutDown: () => void): Promise<void> {
  if (await client.retire()) shutDown();
}
