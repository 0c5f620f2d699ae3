import {
  BalanceOrder,
  PlayersAdded,
  readMessages,
  SessionOrder,
  viewsOf,
  type CommandView,
  type HeartbeatRecorded,
  type RegisterServer,
  type ServerView,
} from '@muster/contracts';
import { NotAllowed, type ServerCommand, type ServerLabels, type ServerStanding } from '@muster/domain';
import {
  callerOf,
  CoordinatorTokens,
  Endpoint,
  invalid,
  OpenCalls,
  Sent,
  SharedClock,
  type Identity,
  type VerifiedServer,
} from '@muster/platform';
import { Controller, Inject, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Commands } from '../commands/commands.js';
import { ALLOCATOR_SETTINGS, type AllocatorSettings } from '../settings.js';
import { Fleet } from './fleet.js';
import { hostObjection } from './server-host.client.js';

/** The incarnation of a server that acts for itself; null for an operator. */
const actingOf = (who: Identity): number | null => (who.kind === 'server' ? who.incarnation : null);

/** The calling server, which may act only for itself. */
function self(serverId: string, who: Identity): VerifiedServer {
  if (who.kind !== 'server') throw new NotAllowed('Only the server itself may make this call.');
  Fleet.mayActFor(serverId, who.serverId);
  return who;
}

@Controller()
export class ServersController {
  private readonly tokenMs: number;
  private readonly allowsLocal: boolean;

  constructor(
    @Inject(Fleet) private readonly fleet: Fleet,
    @Inject(Commands) private readonly commands: Commands,
    @Inject(CoordinatorTokens) private readonly tokens: CoordinatorTokens,
    @Inject(OpenCalls) private readonly openCalls: OpenCalls,
    @Inject(SharedClock) private readonly clock: SharedClock,
    @Inject(ALLOCATOR_SETTINGS) settings: AllocatorSettings,
  ) {
    this.tokenMs = settings.SERVER_TOKEN_SECONDS * 1000;
    this.allowsLocal = settings.SERVER_LOCAL_HOSTS;
  }

  @Endpoint('registerServer')
  async register(@Sent() { body, who }: Sent<'registerServer'>): Promise<object> {
    const { serverId, labels = {} } = body;
    this.checkHost(body.host);
    if (who.kind !== 'fleet') throw new NotAllowed('Only a fleet may register servers.');
    const { incarnation, resumed } = await this.fleet.register({ ...body, labels: listed(labels) }, who);
    const silenceSeconds = this.fleet.timeouts.silenceMs / 1000;
    const now = this.clock.now();
    return {
      serverId,
      serverToken: this.tokens.serverToken(
        { serverId, incarnation, keyId: who.keyId, signsFor: who.mustSign ? who.keyId : null },
        this.tokenMs,
        now,
      ),
      serverTokenExpiresAt: now + this.tokenMs,
      heartbeatSeconds: silenceSeconds / 4,
      silenceSeconds,
      resumed,
    };
  }

  @Endpoint('listServers')
  list(
    @Sent() { query: { cursor, limit } }: Sent<'listServers'>,
  ): Promise<{ servers: ServerView[]; next: string | null }> {
    return this.fleet.servers(cursor ?? '', limit);
  }

  @Endpoint('heartbeat')
  async heartbeat(
    @Sent() { params: { serverId }, body, who }: Sent<'heartbeat'>,
  ): Promise<HeartbeatRecorded> {
    const server = self(serverId, who);
    const standing = await this.fleet.heartbeat(server, body);
    const serverToken = this.tokens.renewal(server, this.tokenMs, this.clock.now());
    return serverToken === null ? standing : { ...standing, serverToken };
  }

  @Endpoint('drainServer')
  drain(@Sent() { params: { serverId }, who }: Sent<'drainServer'>): Promise<ServerStanding> {
    Fleet.mayActFor(serverId, who.kind === 'server' ? who.serverId : null);
    return this.fleet.drain(serverId, who.kind === 'server' ? 'server' : 'operator', actingOf(who));
  }

  @Endpoint('undrainServer')
  undrain(@Sent() { params: { serverId }, who }: Sent<'undrainServer'>): Promise<ServerStanding> {
    Fleet.mayActFor(serverId, who.kind === 'server' ? who.serverId : null);
    return this.fleet.undrain(serverId, actingOf(who));
  }

  @Endpoint('drainServers')
  async drainSome(@Sent() { body }: Sent<'drainServers'>): Promise<{ changed: number }> {
    return { changed: await this.fleet.drainSome(body, true) };
  }

  @Endpoint('undrainServers')
  async undrainSome(@Sent() { body }: Sent<'undrainServers'>): Promise<{ changed: number }> {
    return { changed: await this.fleet.drainSome(body, false) };
  }

  @Endpoint('leaveServer')
  leave(@Sent() { params: { serverId }, who }: Sent<'leaveServer'>): Promise<ServerStanding> {
    Fleet.mayActFor(serverId, who.kind === 'server' ? who.serverId : null);
    return this.fleet.leave(serverId, who.kind !== 'server', actingOf(who));
  }

  @Endpoint('takeCommands')
  async take(
    @Sent() { params: { serverId }, query: { after, waitSeconds }, who }: Sent<'takeCommands'>,
    @Req() request: FastifyRequest,
  ): Promise<{ commands: CommandView[] }> {
    const waitMs = waitSeconds * 1000;
    const server = self(serverId, who);
    const read = (left: AbortSignal): Promise<ServerCommand[]> =>
      this.commands.after(server, after, waitMs, left);
    const commands =
      waitMs === 0
        ? await read(AbortSignal.abort())
        : await this.openCalls.hold(callerOf(who), request, read);
    return {
      commands: commands.map(({ seq, kind, sessionId, payload }) => {
        if (kind === 'create-session') return { seq, kind, sessionId, session: SessionOrder.parse(payload) };
        if (kind === 'add-players') return { seq, kind, sessionId, added: PlayersAdded.parse(payload) };
        if (kind === 'balance') return { seq, kind, sessionId, balance: BalanceOrder.parse(payload) };
        return { seq, kind: 'end-session' satisfies typeof kind, sessionId, ...endOf(payload) };
      }),
    };
  }

  @Endpoint('answerCommand')
  async answer(
    @Sent() { params: { serverId, seq }, body, who }: Sent<'answerCommand'>,
  ): Promise<{ accepted: boolean }> {
    if (body.status === 'done' && body.host !== undefined) this.checkHost(body.host);
    await this.commands.answer(self(serverId, who), seq, body);
    return { accepted: true };
  }

  /** @throws InvalidRequest for a host to which no player may be sent */
  private checkHost(host: string): void {
    const objection = hostObjection(host, this.allowsLocal);
    if (objection !== null) throw invalid([{ path: ['host'], message: objection }]);
  }
}

/** Labels with lists of values, sorted and without duplicates: servers of one class have equal ones. */
function listed(labels: NonNullable<RegisterServer['labels']>): ServerLabels {
  return Object.fromEntries(
    Object.entries(labels).map(([name, values]) => [name, [...new Set([values].flat())].toSorted()]),
  );
}

/** Why a session is to end. A command written by an older release has no messages. */
function endOf(payload: object): Pick<CommandView, 'reason' | 'reasonMessages'> {
  const reason = 'reason' in payload ? String(payload.reason) : '';
  const reasonMessages = 'messages' in payload ? viewsOf(readMessages(payload.messages, reason)) : undefined;
  return { reason, ...(reasonMessages ? { reasonMessages } : {}) };
}
