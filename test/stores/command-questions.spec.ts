import { beforeEach, describe, expect, it } from 'vitest';
import { databaseForEach, range } from './fixtures.js';
import { House, type Held } from './house.js';

const data = databaseForEach();
let house: House;
let all: Held[];
beforeEach(async () => {
  // One connection: its transactions are counted.
  const db = data().connect(1);
  house = new House(db, () => db);
  all = [];
  for (const i of range(4)) {
    await house.server(`s${i}`, { slots: 1 });
    all.push(await house.reserved(`m${i}`));
  }
});

/** Kinds of unknown commands, by server. */
const unknown: string[] = [];
const take = async ({ server }: Held, seq = 0): Promise<readonly string[] | null> => {
  const commands = await house.allocator.commands.commandsAfter(
    server,
    seq,
    (kind) => void unknown.push(`${server.serverId} ${kind}`),
  );
  return commands?.map(({ kind, sessionId }) => `${kind} ${sessionId}`) ?? null;
};

describe('servers that ask for commands at once', () => {
  it('are answered by one statement, each with its own commands in order', async () => {
    const [first] = all;
    if (!first) throw new Error('there is no server');
    const { server, sessionId } = first;
    await house.db.command.create({
      data: {
        serverId: server.serverId,
        seq: 7,
        sessionId,
        kind: 'end-session',
        payload: {},
        state: 'pending',
        createdAt: new Date(),
      },
    });
    // A statement is prepared at its second use, so it runs twice.
    const asked = () => Promise.all(all.map((held) => take(held)));
    await asked();
    const before = await statementRuns();
    const commands = await asked();

    expect(commands).toEqual(
      all.map((held) => [
        `create-session ${held.sessionId}`,
        ...(held === first ? [`end-session ${sessionId}`] : []),
      ]),
    );
    expect((await statementRuns()) - before).toBe(1);
    expect(await Promise.all(all.map((held) => take(held, held.seq)))).toEqual(
      all.map((held) => (held === first ? [`end-session ${sessionId}`] : [])),
    );
  });

  it('lose nothing by one that the database refuses, that is superseded, or that has an unknown command', async () => {
    const [, superseded, newer, refused] = all;
    if (!superseded || !newer || !refused) throw new Error('there are four servers');
    await house.server(superseded.server.serverId);
    await house.db.command.updateMany({
      where: { sessionId: newer.sessionId },
      data: { kind: 'sing', createdAt: new Date() },
    });
    const answers = await Promise.allSettled(all.map((held) => take(held, held === refused ? 2 ** 40 : 0)));

    expect(answers.map((each) => (each.status === 'fulfilled' ? each.value : each.status))).toEqual([
      [`create-session ${all[0]?.sessionId}`],
      null,
      [],
      'rejected',
    ]);
    expect(unknown).toEqual([`${newer.server.serverId} sing`]);
  });
});

/** How often the prepared statement that reads commands ran. */
async function statementRuns(): Promise<number> {
  const [row] = await house.db.$queryRaw<{ runs: number }[]>`
    SELECT (generic_plans + custom_plans)::int AS runs FROM pg_prepared_statements
    WHERE statement LIKE '%FROM command%' AND statement LIKE '%AS pending%'`;
  return row?.runs ?? 0;
}
