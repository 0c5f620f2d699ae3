import type { Sql } from '@muster/db';
import { hostname, userInfo } from 'node:os';

/** A change by a command that connects to the database itself. */
export interface CommandNote {
  readonly call: 'archiveMatches' | 'erasePlayer' | 'exportPlayer' | 'holdPlayer' | 'releasePlayer';
  readonly target: string;
  readonly reason: string | null;
  readonly who: string;
}

/** The person at the terminal: the user of the operating system, also through sudo. */
export function personHere(env: NodeJS.ProcessEnv): string {
  const { SUDO_USER: person } = env;
  if (person) return person;
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return `user ${process.getuid?.() ?? '?'}`;
  }
}

/** Writes a row of the audit log in the transaction of the change. Such a command needs the database's owner, thus an admin. */
export async function noteCommand(tx: Sql, { call, target, reason, who }: CommandNote): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO audit_entry (request, service, who, sign_in, role, call, targets, reason, origin, outcome)
    VALUES (${`cmd_${crypto.randomUUID()}`}, 'cli', ${who}, 'command', 'admin', ${call}, ${[target]}::text[], ${reason}, ${hostname()}, 'done')`;
}
