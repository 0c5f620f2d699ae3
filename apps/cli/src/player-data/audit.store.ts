import type { Sql } from '@muster/db';

/** A change by a command that connects to the database itself. */
export interface CommandNote {
  readonly call: 'erasePlayer' | 'holdPlayer' | 'releasePlayer';
  readonly target: string;
  readonly reason: string | null;
  readonly who: string;
}

/** Writes a row of the audit log in the transaction of the change. Such a command needs the database's owner, thus an admin. */
export async function noteCommand(tx: Sql, { call, target, reason, who }: CommandNote): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO audit_entry (request, service, who, sign_in, role, call, targets, reason, origin, outcome)
    VALUES (${`cmd_${crypto.randomUUID()}`}, 'cli', ${who}, 'command', 'admin', ${call}, ${[target]}::text[], ${reason}, '', 'done')`;
}
