import { transact, type Db } from '@muster/db';

/** An event of a ticket, for receivers outside. */
export interface TicketHappening {
  readonly type: `ticket.${string}`;
  readonly order_key: string;
  readonly at: Date;
  readonly data: object;
}

/** What is copied in one step, and the place in the stream after it. */
export interface Copied {
  readonly happenings: readonly TicketHappening[];
  readonly last: string;
}

/** Copies of ticket events in Postgres, and the place in the stream up to which there are copies. */
export class PostgresTicketEvents {
  constructor(
    private readonly db: Db,
    private readonly realm: string,
  ) {}

  /**
   * Copies a part of the stream. The place is written in the transaction of the events, so each is copied once; one replica
   * copies at a time.
   *
   * @param read is given the place; null at the first time
   * @returns whether this replica copied
   */
  copy(read: (place: string | null) => Promise<Copied>): Promise<boolean> {
    return transact(this.db, async (sql) => {
      const [held] = await sql.$queryRaw<{ place: string }[]>`
        SELECT place FROM ticket_event_place WHERE realm = ${this.realm} FOR UPDATE SKIP LOCKED`;
      if (!held) {
        const begun = await sql.$executeRaw`
          INSERT INTO ticket_event_place (realm, place) VALUES (${this.realm}, '') ON CONFLICT DO NOTHING`;
        if (begun === 0) return false;
      }
      const { happenings, last } = await read(held?.place || null);
      if (happenings.length > 0)
        await sql.$executeRaw`
          INSERT INTO event_outbox (type, order_key, at, data)
          SELECT type, order_key, at, data FROM jsonb_to_recordset(${JSON.stringify(happenings)}::jsonb)
            AS row(type text, order_key text, at timestamptz, data jsonb)`;
      await sql.$executeRaw`UPDATE ticket_event_place SET place = ${last} WHERE realm = ${this.realm}`;
      return true;
    });
  }
}
