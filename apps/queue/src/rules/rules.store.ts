import { readMessages, readStoredRules, writeReason } from '@muster/contracts';
import { type Db, type Sql, transact } from '@muster/db';
import {
  changesNothing,
  isRepeat,
  oneOf,
  type QueueRules,
  type RulesChange,
  type RulesChangeOutcome,
  type RulesVersion,
  type Explanation,
} from '@muster/domain';

interface Row {
  queue: string;
  version: number;
  rules: unknown;
  why: string;
  why_messages: unknown;
  applies_to: string;
  created_at: Date;
}

/** The rules of all queues in Postgres, with all their versions, for good. */
export class PostgresRulesStore {
  constructor(private readonly db: Db) {}

  /**
   * All versions above the known ones, by queue and in rising order.
   *
   * @param known the newest known version of each queue
   */
  async after(known: ReadonlyMap<string, number>): Promise<RulesVersion[]> {
    const rows = await this.db.$sql.$queryRaw<Row[]>`
      SELECT queue_rules.* FROM queue_rules
      LEFT JOIN unnest(${[...known.keys()]}::text[], ${[...known.values()]}::int[]) AS known (name, newest) ON name = queue
      WHERE version > coalesce(newest, 0) ORDER BY queue, version`;
    return rows.map((row) => this.versionOf(row));
  }

  /**
   * Makes each of these the first version of its queue, unless that has one. Of concurrent calls, one creates it.
   *
   * @returns names of the queues that were created
   */
  async seed(rules: readonly QueueRules[], why: Explanation, now: number): Promise<string[]> {
    const { reason, messages } = writeReason(why);
    const stored = messages ? JSON.stringify(messages) : null;
    const made: string[] = [];
    // One by one, ordered by name, so that processes which start together wait for one another without deadlocks.
    for (const each of rules.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const count = await this.db.$sql.$executeRaw`
        INSERT INTO queue_rules (queue, version, rules, why, why_messages, applies_to, created_at)
        VALUES (${each.name}, 1, ${JSON.stringify(each)}::jsonb, ${reason}, ${stored}::jsonb, 'new', ${new Date(now)})
        ON CONFLICT DO NOTHING`;
      if (count > 0) made.push(each.name);
    }
    return made;
  }

  /**
   * Puts rules in force as the next version, unless nothing differs. Concurrent calls get separate versions. A repeated
   * change with the same expected version returns the same version.
   */
  async change(change: RulesChange, now: number): Promise<RulesChangeOutcome> {
    return transact(this.db, (tx) => this.changeOnce(tx, change, now));
  }

  private async changeOnce(tx: Sql, change: RulesChange, now: number): Promise<RulesChangeOutcome> {
    const { rules, why, appliesTo, expectedVersion } = change;
    const queue = rules.name;
    // In a separate statement, so that the following one sees what the previous lock holder committed.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('queue_rules'), hashtext(${queue}))`;
    const rows = await tx.$queryRaw<Row[]>`
      SELECT * FROM queue_rules WHERE queue = ${queue} ORDER BY version`;
    const versions = rows.map((row) => this.versionOf(row));
    const newest = versions.at(-1);
    if (newest && isRepeat(newest, change)) return { outcome: 'changed', now: newest };
    if (expectedVersion !== undefined && expectedVersion !== (newest?.version ?? 0))
      return { outcome: 'stale', newest: newest?.version ?? 0 };
    if (newest && changesNothing(versions, change)) return { outcome: 'same', now: newest };
    const version = (newest?.version ?? 0) + 1;
    await tx.$executeRaw`
      INSERT INTO queue_rules (queue, version, rules, why, applies_to, created_at)
      VALUES (${queue}, ${version}, ${JSON.stringify(rules)}::jsonb, ${why}, ${appliesTo}, ${new Date(now)})`;
    return { outcome: 'changed', now: { queue, version, rules, why, appliesTo, createdAt: now } };
  }

  private versionOf({ queue, version, rules, why, why_messages, applies_to, created_at }: Row): RulesVersion {
    return {
      queue,
      version,
      rules: readStoredRules(rules),
      why,
      ...(why_messages ? { messages: readMessages(why_messages, why) } : {}),
      appliesTo: oneOf(['new', 'all'], applies_to),
      createdAt: created_at.getTime(),
    };
  }
}
