import { viewsOf, type TicketView } from '@muster/contracts';
import { isLast, type Assignment, type Clock, type TicketEvent, type TicketRecord } from '@muster/domain';
import type { CoordinatorTokens } from '@muster/platform';
import { ofPlayers } from '../core/of-players.js';
import { pauseViewOf } from '../pauses/pause.view.js';
import type { Pauses } from '../pauses/pauses.js';
import type { Queues } from '../rules/queues.js';

/** Shows tickets to the callers who may see them. Join tokens are issued to the viewing player alone, until the ticket is closed. */
export class TicketViews {
  constructor(
    private readonly tokens: CoordinatorTokens,
    private readonly clock: Clock,
    private readonly queues: Pick<Queues, 'newestKnown' | 'effectiveVersion'>,
    private readonly pauses: Pick<Pauses, 'inForce'>,
  ) {}

  /** The time by which tokens are signed. */
  now(): number {
    return this.clock.now();
  }

  ticket(record: TicketRecord, viewer: string | null): TicketView {
    // Latencies, avoid-lists and standing are private, even within a party.
    const {
      players,
      maps,
      assignment,
      accepted,
      latencyMs: _latency,
      fingerprint: _fingerprint,
      trace: _trace,
      avoid: _avoid,
      behaviour: _behaviour,
      messages,
      ...rest
    } = record;
    const canPlay = ofPlayers(players, ({ canPlay: roles }) => roles && [...roles]);
    const platforms = ofPlayers(players, ({ platform }) => platform);
    const booster = players.find((player) => player.booster)?.booster;
    // Its own version, unless newer rules apply to waiting tickets; in a match, the version that formed it.
    const rulesVersion = record.state === 'waiting' ? this.versionOf(record) : record.rulesVersion;
    const reasonMessages = viewsOf(messages);
    const pause = record.state === 'waiting' ? this.pauses.inForce(record.queue) : null;
    return {
      ...rest,
      ...(reasonMessages ? { reasonMessages } : {}),
      ...(pause ? { paused: pauseViewOf(pause) } : {}),
      ...(rulesVersion === undefined ? {} : { rulesVersion }),
      players: players.map((player) => player.playerId),
      ...(canPlay ? { canPlay } : {}),
      ...(platforms ? { platforms } : {}),
      ...(maps ? { maps: [...maps] } : {}),
      ...(booster ? { booster: { division: booster.division, higher: booster.higher } } : {}),
      ...(accepted ? { accepted: [...accepted] } : {}),
      ...(assignment ? { assignment: this.assignment(assignment, record.closed ? null : viewer) } : {}),
    };
  }

  /** The version of its queue's rules that a waiting ticket follows. */
  private versionOf({ queue, rulesVersion }: TicketRecord): number | undefined {
    return this.queues.newestKnown(queue) === 0
      ? rulesVersion
      : this.queues.effectiveVersion(queue, rulesVersion);
  }

  /** @param isClosed whether the ticket is closed, perhaps by a later event */
  event(event: TicketEvent, viewer: string | null, isClosed: boolean): object {
    const { assignment, messages, ...rest } = event;
    const reasonMessages = viewsOf(messages);
    return {
      ...rest,
      ...(reasonMessages ? { reasonMessages } : {}),
      ...(assignment ? { assignment: this.assignment(assignment, isClosed ? null : viewer) } : {}),
      closed: isLast(event),
    };
  }

  /** @param viewer null: nobody gets a join token */
  private assignment(assignment: Assignment, viewer: string | null): Assignment & { joinToken: string } {
    const { matchId, sessionId, team } = assignment;
    const joinToken =
      viewer === null
        ? ''
        : this.tokens.joinToken({ playerId: viewer, matchId, sessionId, team }, this.now());
    return { ...assignment, joinToken };
  }
}
