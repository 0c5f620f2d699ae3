import type { TicketView } from '@muster/contracts';
import { isLast, type Assignment, type TicketEvent, type TicketRecord } from '@muster/domain';
import type { CoordinatorTokens } from '@muster/platform';

/** Shows tickets to those who may see them. Join tokens are made for the player who looks, and for nobody else. */
export class TicketViews {
  constructor(
    private readonly tokens: CoordinatorTokens,
    private readonly now: () => number,
  ) {}

  async ticket(record: TicketRecord, viewer: string | null): Promise<TicketView> {
    const { players, assignment, latencyMs: _latency, fingerprint: _fingerprint, ...rest } = record;
    return {
      ...rest,
      players: players.map((player) => player.playerId),
      ...(assignment ? { assignment: await this.assignment(assignment, viewer) } : {}),
    };
  }

  async event(event: TicketEvent, viewer: string | null): Promise<object> {
    const { assignment, ...rest } = event;
    return {
      ...rest,
      ...(assignment ? { assignment: await this.assignment(assignment, viewer) } : {}),
      closed: isLast(event),
    };
  }

  private async assignment(
    assignment: Assignment,
    viewer: string | null,
  ): Promise<Assignment & { joinToken: string }> {
    const { matchId, sessionId, team } = assignment;
    const joinToken =
      viewer === null
        ? ''
        : await this.tokens.joinToken({ playerId: viewer, matchId, sessionId, team }, this.now());
    return { ...assignment, joinToken };
  }
}
