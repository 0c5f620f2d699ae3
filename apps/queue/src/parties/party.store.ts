import { Latencies } from '@muster/contracts';
import { type Db, type Sql, transact } from '@muster/db';
import {
  type CreatePartyResult,
  type InvitedTo,
  type InviteResult,
  type JoiningPlayer,
  type JoinResult,
  largestParty,
  type LeaveResult,
  type PassResult,
  type Party,
  type PartyMember,
  type PlayerClaims,
  type UninviteResult,
} from '@muster/domain';

interface MemberRow {
  player_id: string;
  latency_ms: unknown;
  can_play: string[];
  claims: unknown;
  build: string | null;
  platform: string | null;
  cross_play: boolean;
  joined_at: Date;
}

/**
 * Parties in Postgres. A player is in at most one. Every method is one transaction; those that change a party lock its row
 * first, so that changes of one party take turns. All times are milliseconds since the epoch.
 */
export class PostgresPartyStore {
  constructor(
    private readonly db: Db,
    /** @returns null if the claims are malformed */
    private readonly readClaims: (json: unknown) => PlayerClaims | null,
  ) {}

  create(partyId: string, leader: JoiningPlayer, now: number): Promise<CreatePartyResult> {
    return transact(this.db, async (tx): Promise<CreatePartyResult> => {
      const at = new Date(now);
      await tx.$executeRaw`
        INSERT INTO party (id, leader, created_at, touched_at) VALUES (${partyId}, ${leader.playerId}, ${at}, ${at})`;
      if (await admit(tx, partyId, leader, at)) {
        await tx.$executeRaw`DELETE FROM party_invitation WHERE player_id = ${leader.playerId} AND expires_at <= ${at}`;
        return { outcome: 'created', party: await this.shown(tx, partyId, leader.playerId, now) };
      }
      await tx.$executeRaw`DELETE FROM party WHERE id = ${partyId}`;
      return { outcome: 'in-party', partyId: await partyOf(tx, leader.playerId) };
    });
  }

  async find(partyId: string, now: number): Promise<Party | null> {
    const [row] = await this.db.$sql.$queryRaw<
      { leader: string }[]
    >`SELECT leader FROM party WHERE id = ${partyId}`;
    return row ? this.shown(this.db.$sql, partyId, row.leader, now) : null;
  }

  async ofPlayer(playerId: string, now: number): Promise<Party | null> {
    const [row] = await this.db.$sql.$queryRaw<{ party_id: string }[]>`
      SELECT party_id FROM party_member WHERE player_id = ${playerId}`;
    return row ? this.find(row.party_id, now) : null;
  }

  /** The valid invitations of a player, latest expiry first. */
  async invitationsOf(playerId: string, now: number): Promise<InvitedTo[]> {
    const rows = await this.db.$sql.$queryRaw<{ party_id: string; leader: string; expires_at: Date }[]>`
      SELECT party_id, leader, expires_at FROM party_invitation JOIN party ON party.id = party_id
      WHERE player_id = ${playerId} AND expires_at > ${new Date(now)} ORDER BY expires_at DESC, party_id LIMIT 100`;
    return rows.map(({ party_id, leader, expires_at }) => ({
      partyId: party_id,
      leader,
      expiresAt: expires_at.getTime(),
    }));
  }

  /** Invites a player, or extends an invitation. */
  invite(
    partyId: string,
    by: string,
    playerId: string,
    expiresAt: number,
    now: number,
  ): Promise<InviteResult> {
    return transact(this.db, async (tx): Promise<InviteResult> => {
      const leader = await lock(tx, partyId, now);
      if (leader === null) return { outcome: 'unknown' };
      if (leader !== by) {
        const { members } = await this.shown(tx, partyId, leader, now);
        return { outcome: members.some((member) => member.playerId === by) ? 'not-leader' : 'unknown' };
      }
      await tx.$executeRaw`DELETE FROM party_invitation WHERE party_id = ${partyId} AND expires_at <= ${new Date(now)}`;
      const before = await this.shown(tx, partyId, leader, now);
      if (before.members.some((member) => member.playerId === playerId))
        return { outcome: 'member', party: before };
      const others = before.invitations.filter((each) => each.playerId !== playerId);
      if (before.members.length + others.length >= largestParty) return { outcome: 'full' };
      await tx.$executeRaw`
        INSERT INTO party_invitation (party_id, player_id, expires_at) VALUES (${partyId}, ${playerId}, ${new Date(expiresAt)})
        ON CONFLICT (party_id, player_id) DO UPDATE SET expires_at = excluded.expires_at`;
      return { outcome: 'invited', party: await this.shown(tx, partyId, leader, now) };
    });
  }

  /** Accepts an invitation. Of concurrent calls for one player, one succeeds. */
  join(partyId: string, player: JoiningPlayer, now: number): Promise<JoinResult> {
    return transact(this.db, async (tx): Promise<JoinResult> => {
      const leader = await lock(tx, partyId, now);
      if (leader === null) return { outcome: 'unknown' };
      const { playerId } = player;
      const at = new Date(now);
      const again = await tx.$executeRaw`
        UPDATE party_member SET latency_ms = ${JSON.stringify(player.latencyMs)}::jsonb, can_play = ${[...(player.canPlay ?? [])]}::text[],
          claims = ${JSON.stringify(player.claims)}::jsonb, build = ${player.build ?? null}, platform = ${player.platform ?? null},
          cross_play = ${player.crossPlay ?? true}
        WHERE player_id = ${playerId} AND party_id = ${partyId}`;
      if (again === 0) {
        const invited = await tx.$executeRaw`
          DELETE FROM party_invitation WHERE party_id = ${partyId} AND player_id = ${playerId} AND expires_at > ${at}`;
        if (invited === 0) return { outcome: 'not-invited' };
        if (!(await admit(tx, partyId, player, at))) {
          const other = await partyOf(tx, playerId);
          // Whoever leaves the other party may still take it up.
          throw new InParty(other);
        }
      }
      return { outcome: 'joined', party: await this.shown(tx, partyId, leader, now) };
    }).catch((error: unknown): JoinResult => {
      if (error instanceof InParty) return { outcome: 'in-party', partyId: error.partyId };
      throw error;
    });
  }

  /** The leader passes the party to another member; the ticket stays. @param by who asks */
  pass(partyId: string, by: string, playerId: string, now: number): Promise<PassResult> {
    return transact(this.db, async (tx): Promise<PassResult> => {
      const leader = await lock(tx, partyId, now);
      if (leader === null) return { outcome: 'unknown' };
      const party = await this.shown(tx, partyId, leader, now);
      const isMember = (id: string): boolean => party.members.some((member) => member.playerId === id);
      if (!isMember(by)) return { outcome: 'unknown' };
      if (!isMember(playerId)) return { outcome: leader === by ? 'not-member' : 'not-leader' };
      // A repeat by the player who led it before.
      if (leader === playerId) return { outcome: 'passed', party };
      if (leader !== by) return { outcome: 'not-leader' };
      await tx.$executeRaw`UPDATE party SET leader = ${playerId} WHERE id = ${partyId}`;
      return { outcome: 'passed', party: await this.shown(tx, partyId, playerId, now) };
    });
  }

  /** The invited player declines, or the leader withdraws an invitation. @param by who asks */
  async uninvite(partyId: string, by: string, playerId: string, now: number): Promise<UninviteResult> {
    // Declining locks no party: an invited player is no member, and does not keep an idle party.
    if (by === playerId) {
      await this.db.$sql.$executeRaw`
        DELETE FROM party_invitation WHERE party_id = ${partyId} AND player_id = ${playerId}`;
      return { outcome: 'gone', party: null };
    }
    return transact(this.db, async (tx): Promise<UninviteResult> => {
      const leader = await lock(tx, partyId, now);
      if (leader === null) return { outcome: 'unknown' };
      const { members } = await this.shown(tx, partyId, leader, now);
      if (!members.some((member) => member.playerId === by)) return { outcome: 'unknown' };
      if (leader !== by) return { outcome: 'not-leader' };
      await tx.$executeRaw`
        DELETE FROM party_invitation WHERE party_id = ${partyId} AND player_id = ${playerId}`;
      return { outcome: 'gone', party: await this.shown(tx, partyId, leader, now) };
    });
  }

  /**
   * Removes a member; removing the leader ends the party.
   *
   * @param before runs while the party is locked, and may run again; an error it throws leaves everything unchanged
   */
  leave(
    partyId: string,
    playerId: string,
    now: number,
    before: (party: Party) => Promise<void>,
  ): Promise<LeaveResult> {
    return transact(this.db, async (tx): Promise<LeaveResult> => {
      const leader = await lock(tx, partyId, now);
      if (leader === null) return { outcome: 'unknown' };
      const party = await this.shown(tx, partyId, leader, now);
      if (!party.members.some((member) => member.playerId === playerId)) return { outcome: 'unknown' };
      await before(party);
      if (playerId === leader) {
        await tx.$executeRaw`DELETE FROM party WHERE id = ${partyId}`;
        return { outcome: 'ended' };
      }
      await tx.$executeRaw`DELETE FROM party_member WHERE player_id = ${playerId} AND party_id = ${partyId}`;
      return { outcome: 'left', party: await this.shown(tx, partyId, leader, now) };
    });
  }

  /** Runs a step while the party is locked: nobody joins, nobody leaves. */
  hold<T>(partyId: string, now: number, step: (party: Party | null) => Promise<T>): Promise<T> {
    return this.db.$sql.transaction(async (tx) => {
      const leader = await lock(tx, partyId, now);
      return step(leader === null ? null : await this.shown(tx, partyId, leader, now));
    });
  }

  /** Ends parties without activity since a time, and deletes expired invitations. */
  async endIdle(since: number, now: number): Promise<void> {
    await this.db.$sql.$executeRaw`DELETE FROM party_invitation WHERE expires_at <= ${new Date(now)}`;
    await this.db.$sql.$executeRaw`DELETE FROM party WHERE touched_at < ${new Date(since)}`;
  }

  private async shown(
    from: Pick<Sql, '$queryRaw'>,
    partyId: string,
    leader: string,
    now: number,
  ): Promise<Party> {
    const members = await from.$queryRaw<MemberRow[]>`
      SELECT player_id, latency_ms, can_play, claims, build, platform, cross_play, joined_at FROM party_member WHERE party_id = ${partyId}
      ORDER BY player_id <> ${leader}, joined_at, player_id`;
    const invitations = await from.$queryRaw<{ player_id: string; expires_at: Date }[]>`
      SELECT player_id, expires_at FROM party_invitation
      WHERE party_id = ${partyId} AND expires_at > ${new Date(now)} ORDER BY expires_at, player_id`;
    return {
      partyId,
      leader,
      members: members.map((row) => this.memberOf(row)),
      invitations: invitations.map(({ player_id, expires_at }) => ({
        playerId: player_id,
        expiresAt: expires_at.getTime(),
      })),
    };
  }

  private memberOf(row: MemberRow): PartyMember {
    const { player_id, latency_ms, can_play, claims, build, platform, cross_play, joined_at } = row;
    return {
      playerId: player_id,
      latencyMs: Latencies.parse(latency_ms),
      ...(can_play.length > 0 ? { canPlay: can_play } : {}),
      claims: this.readClaims(claims) ?? {},
      ...(build === null ? {} : { build }),
      ...(platform === null ? {} : { platform }),
      ...(cross_play ? {} : { crossPlay: false }),
      joinedAt: joined_at.getTime(),
    };
  }
}

/** Undoes the taking up of an invitation by somebody who turned out to be in another party. */
class InParty extends Error {
  constructor(readonly partyId: string) {
    super('the player is in another party');
  }
}

/** Locks a party's row, and notes that something is done with it. @returns its leader, or null when there is none */
async function lock(tx: Sql, partyId: string, now: number): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ leader: string }[]>`
    UPDATE party SET touched_at = ${new Date(now)} WHERE id = ${partyId} RETURNING leader`;
  return row?.leader ?? null;
}

/** @returns false when they are in a party */
async function admit(tx: Sql, partyId: string, player: JoiningPlayer, at: Date): Promise<boolean> {
  const count = await tx.$executeRaw`
    INSERT INTO party_member (player_id, party_id, latency_ms, can_play, claims, build, platform, cross_play, joined_at)
    VALUES (${player.playerId}, ${partyId}, ${JSON.stringify(player.latencyMs)}::jsonb, ${[...(player.canPlay ?? [])]}::text[],
      ${JSON.stringify(player.claims)}::jsonb, ${player.build ?? null}, ${player.platform ?? null}, ${player.crossPlay ?? true}, ${at})
    ON CONFLICT (player_id) DO NOTHING`;
  return count === 1;
}

/** The party that a player is in; empty when they have left it by now. */
async function partyOf(tx: Sql, playerId: string): Promise<string> {
  const [row] = await tx.$queryRaw<{ party_id: string }[]>`
    SELECT party_id FROM party_member WHERE player_id = ${playerId}`;
  return row?.party_id ?? '';
}
