import type { GetRosterReply, GetRosterRequest } from '@muster/contracts';
import { matchStateOf, MatchUnavailable, type MatchRoster, type MatchRosters } from '@muster/domain';
import { RpcUnavailable, type RpcCaller } from '@muster/platform';

const deadlineMs = 3_000;

/** Reads match rosters from the assignment service. */
export class RpcMatchRosters implements MatchRosters {
  constructor(private readonly client: RpcCaller) {}

  async rosterOf(matchId: string): Promise<MatchRoster | null> {
    const { found, state, placed, players } = await this.ask(matchId);
    if (!found) return null;
    return {
      state: matchStateOf(state),
      placed,
      players: players.map(({ playerId, team, ticketId }) => ({
        playerId,
        team,
        ticketId: ticketId === '' ? null : ticketId,
      })),
    };
  }

  private async ask(matchId: string): Promise<GetRosterReply> {
    try {
      return await this.client.call<GetRosterRequest, GetRosterReply>('getRoster', { matchId }, deadlineMs);
    } catch (error) {
      if (!(error instanceof RpcUnavailable)) throw error;
      throw new MatchUnavailable('Who was in the match cannot be read right now. Try again in a moment.', {
        matchId,
      });
    }
  }
}
