import {
  Batcher,
  grouped,
  Pace,
  type AnswerResult,
  type CommandAnswer,
  type ServerCommand,
  type ServerIdentity,
} from '@muster/domain';
import { BatchedTransactions, type Db, mayBeItemsFault, processTime } from '@muster/db';
import { type Answer, answer, answersAtOnce, answerTogether } from './answers.store.js';
import type { CommandCursor, NewestCommand } from './command-watch.js';
import { withPlayers } from './told-players.store.js';

/** The time that a command of unknown kind blocks the commands after it. */
const blockedSeconds = 10;

const knownKinds: readonly string[] = [
  'create-session',
  'add-players',
  'balance',
  'end-session',
] satisfies ServerCommand['kind'][];

/** The number of servers whose commands one statement reads. */
const readAtOnce = 200;

interface PendingCommand {
  nth: number;
  seq: number | null;
  kind: string;
  session_id: string;
  payload: object;
  recent: boolean;
}

/** A server that asks for its commands. */
interface CommandQuestion extends CommandCursor {
  /** Called for each command of unknown kind. */
  unknown(kind: string, seq: number): void;
}

/** The minimum times between two batches of reads and of answers, in milliseconds. */
const [readingMs, answeringMs] = [25, 25];

/** The commands of servers, and their answers. */
export class PostgresCommandStore {
  private readonly readingPace = new Pace(readingMs, processTime);
  private readonly reads = new Batcher<CommandQuestion, ServerCommand[] | null>(
    readAtOnce,
    this.readingPace.counting((asked) => this.read(asked)),
    mayBeItemsFault,
    this.readingPace.next,
  );
  private readonly answers: BatchedTransactions<Answer, AnswerResult>;

  constructor(private readonly db: Db) {
    this.answers = new BatchedTransactions(db, {
      maxItems: answersAtOnce,
      paceMs: answeringMs,
      together: answerTogether,
      alone: (each: Answer) => answer(db, each),
    });
  }

  /**
   * Unanswered commands of a server after a cursor. A command of a kind that only a newer release knows is kept for a
   * replica of that release.
   *
   * @param unknown called for each such command
   * @returns null when this incarnation is not in force
   */
  commandsAfter(
    { serverId, incarnation }: ServerIdentity,
    after: number,
    unknown: (kind: string, seq: number) => void = () => undefined,
  ): Promise<ServerCommand[] | null> {
    return this.reads.submit('', { serverId, incarnation, after, unknown });
  }

  /** A server answers a command of any kind; see `decideAnswer`. */
  answer(server: ServerIdentity, seq: number, reply: CommandAnswer, now: number): Promise<AnswerResult> {
    const each = { server, seq, reply, now };
    // Refusals are rare, and each looks for another server.
    return reply.status === 'done' ? this.answers.submit('', each) : answer(this.db, each);
  }

  /**
   * Which servers have pending commands after their cursors, or another registration.
   *
   * @returns their positions
   */
  async withCommands(cursors: readonly CommandCursor[]): Promise<number[]> {
    const { ids, incarnations, afters } = columnsOf(cursors);
    // Subqueries of one row are looked up in an index for each server; EXISTS may become a scan.
    const rows = await this.db.$sql.$queryRaw<{ nth: number }[]>`
      SELECT asked.nth::int FROM unnest(${ids}::text[], ${incarnations}::int[], ${afters}::int[])
        WITH ORDINALITY AS asked (id, incarnation, after, nth)
      WHERE (SELECT server.incarnation FROM server WHERE server.id = asked.id) IS DISTINCT FROM asked.incarnation
        OR (SELECT command.seq FROM command
          WHERE command.server_id = asked.id AND command.seq > asked.after AND command.state = 'pending'
          ORDER BY command.seq LIMIT 1) IS NOT NULL`;
    return rows.map(({ nth }) => nth - 1);
  }

  /**
   * The newest pending command of each server that was given one since. Reads only commands of that time.
   *
   * @param since milliseconds since the epoch
   */
  async newestCommands(since: number): Promise<NewestCommand[]> {
    return this.db.$sql.$queryRaw<NewestCommand[]>`
      SELECT server_id AS "serverId", max(seq)::int AS seq FROM command
      WHERE created_at > ${new Date(since)} AND state = 'pending' GROUP BY server_id`;
  }

  /**
   * Reads the pending commands of many servers after their cursors. A command of unknown kind stays pending, for a replica
   * that knows it. A server's cursor never goes back, so such a command blocks those after it for `blockedSeconds` and is
   * then skipped.
   *
   * @returns for each its commands; null without such a registration
   */
  private async read(asked: readonly CommandQuestion[]): Promise<(ServerCommand[] | null)[]> {
    const { ids, incarnations, afters } = columnsOf(asked);
    const rows = await this.db.$sql.$queryRaw<PendingCommand[]>`
      SELECT asked.nth::int, pending.seq, pending.kind, pending.session_id, pending.payload, pending.recent
      FROM unnest(${ids}::text[], ${incarnations}::int[], ${afters}::int[])
        WITH ORDINALITY AS asked (id, incarnation, after, nth)
      LEFT JOIN LATERAL (
        SELECT seq, kind, session_id, payload, created_at > now() - make_interval(secs => ${blockedSeconds}) AS recent
        FROM command WHERE command.server_id = asked.id AND command.seq > asked.after AND command.state = 'pending'
        ORDER BY seq LIMIT 100
      ) AS pending ON true
      WHERE (SELECT server.incarnation FROM server WHERE server.id = asked.id) = asked.incarnation
      ORDER BY asked.nth, pending.seq`;
    const byServer = grouped(rows, ({ nth }) => String(nth));
    const known = asked.map(({ unknown }, i) => {
      const those = byServer.get(String(i + 1));
      return those ? knownOf(those, unknown) : null;
    });
    const told = await withPlayers(
      this.db.$sql,
      known.flatMap((commands) => commands ?? []),
    );
    let read = 0;
    return known.map((commands) => commands && told.slice(read, (read += commands.length)));
  }
}

function columnsOf(cursors: readonly CommandCursor[]) {
  return {
    ids: cursors.map(({ serverId }) => serverId),
    incarnations: cursors.map(({ incarnation }) => incarnation),
    afters: cursors.map(({ after }) => after),
  };
}

function knownOf(rows: readonly PendingCommand[], unknown: CommandQuestion['unknown']): ServerCommand[] {
  const commands: ServerCommand[] = [];
  for (const { seq, kind, session_id, payload, recent } of rows) {
    if (seq === null) continue;
    if (isKnown(kind)) {
      commands.push({ seq, kind, sessionId: session_id, payload });
      continue;
    }
    unknown(kind, seq);
    if (recent) break;
  }
  return commands;
}

function isKnown(kind: string): kind is ServerCommand['kind'] {
  return knownKinds.includes(kind);
}
