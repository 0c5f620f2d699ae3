import { figures, type Figure } from '@muster/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CuttableProxy } from '../support/cuttable-proxy.js';
import { GameServer } from '../support/game-server.js';
import { ask } from '../support/http.js';
import { queueUp } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { ownReplica, type OwnReplica } from './own-replica.js';
import { sharedStack } from './shared-stack.js';

/** Gauges without a value: no queue has waiting tickets or matches without a server, no pool a rated match. */
const mayBeMissing = new Set<string>([
  figures.ticketsWaitingFor.name,
  figures.matchesHeld.name,
  figures.logLoss.name,
  figures.logLossMatches.name,
  figures.matchesUnplaced.name,
  figures.oldestUnplaced.name,
]);

/** What one match of two players leaves in the figures. */
const counted = [
  'muster_tickets_accepted_total{queue="1v1"}',
  'muster_tickets_ended_total{queue="1v1",outcome="assigned"}',
  'muster_ticket_match_seconds_count{queue="1v1"}',
  'muster_ticket_seat_seconds_count{queue="1v1"}',
  'muster_matcher_tick_seconds_count{queue="1v1"}',
  'muster_matches_proposed_total{queue="1v1"}',
  'muster_matches_formed_total{queue="1v1",outcome="formed"}',
  'muster_split_seconds_count{queue="1v1"}',
  'muster_splits_total{queue="1v1",certificate="proven"}',
  'muster_match_team_gap_count{queue="1v1"}',
  'muster_match_favourite_lead_ratio_count{queue="1v1"}',
  'muster_placements_total{outcome="reserved"}',
  'muster_placement_seconds_count',
  'muster_placement_attempts_bucket{le="1"}',
  'muster_command_answers_total{outcome="done"}',
  'muster_results_total{outcome="counted"}',
  'muster_matches_rated_total{pool="duel",outcome="rated"}',
  'muster_jobs_handled_total{job_queue="form-teams",outcome="done"}',
  'muster_job_duration_seconds_count{job_queue="rate-match"}',
  'muster_loop_turns_total{loop="placement sweep",outcome="done"}',
  'muster_http_requests_total{endpoint="createTicket",status="201"}',
  'muster_http_request_duration_seconds_count{endpoint="reportResult"}',
  'muster_ratings_changed_total{pool="duel"}',
  'muster_pool_calibration_scale{pool="duel"}',
];

const soon = { timeout: 30_000, interval: 200 };

/** The values of a process by name and labels. */
async function scrape(url: string): Promise<Map<string, number>> {
  const { status, headers, text } = await ask(url, '/metrics');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))];
      }),
  );
}

let stack: Stack;
let proxy: CuttableProxy;
/** A queue in a realm of its own, whose Redis may go away. */
let queue: OwnReplica;

beforeAll(async () => {
  stack = await sharedStack();
  proxy = await CuttableProxy.start(stack.run.redisUrl);
  const redis = `redis://${new URL(proxy.url).host}`;
  queue = await ownReplica('queue', { REALM: 'figures', REDIS_URL: redis });
});
afterAll(async () => {
  queue?.child.kill('SIGKILL');
  await proxy?.stop();
});

describe('/metrics', () => {
  it('tells how many tickets of each queue wait, and for how long', async () => {
    for (const name of ['waits-1', 'waits-2']) {
      const body = { queue: '5v5', build: 'figures' };
      const { status } = await ask(queue.url, '/v1/tickets', { token: await stack.token(name), body });
      expect(status).toBe(201);
    }
    await vi.waitFor(async () => {
      const seen = await scrape(queue.url);
      expect(seen.get('muster_tickets_waiting{queue="5v5"}')).toBe(2);
      expect(seen.get('muster_oldest_ticket_seconds{queue="5v5"}')).toBeGreaterThan(0);
      expect(seen.get('muster_oldest_ticket_seconds{queue="1v1"}')).toBe(0);
    }, soon);
  });

  it('tells the slots of each region, and the jobs and outboxes of the services', async () => {
    const server = await GameServer.start(stack, {
      serverId: 'figures-1',
      build: 'figures',
      region: 'figures',
      slots: 3,
    });
    // There are figures of webhooks if there are webhooks.
    const { webhookId } = await stack.operator.createWebhook({
      url: 'http://127.0.0.1:9/hooks',
      types: ['case.closed'],
    });
    try {
      await vi.waitFor(async () => {
        const seen = new Map<string, number>();
        for (const { httpPort } of stack.run.replicas)
          for (const entry of await scrape(`http://127.0.0.1:${httpPort}`)) seen.set(...entry);
        expect(seen.get('muster_slots{region="figures",state="free"}')).toBe(3);
        expect(seen.get('muster_slots{region="figures",state="used"}')).toBe(0);
        for (const owner of ['assignment', 'allocator', 'rating'])
          expect(seen.get(`muster_outbox_lag_seconds{owner="${owner}"}`)).toBeGreaterThanOrEqual(0);
        expect(seen.get('muster_oldest_job_seconds{job_queue="rate-match"}')).toBeGreaterThanOrEqual(0);
        const named = new Set([...seen.keys()].map((name) => name.split('{')[0]));
        const missing = Object.values<Figure>(figures).filter(
          ({ name, kind }) => kind === 'gauge' && !named.has(name) && !mayBeMissing.has(name),
        );
        expect(missing).toEqual([]);
      }, soon);
    } finally {
      await stack.operator.deleteWebhook(webhookId);
      await server.stop();
    }
  });

  it('counts a match from its tickets to its ratings, in bounded series without ids', async () => {
    const server = await GameServer.start(stack, { serverId: 'counted-1', build: 'counted' });
    try {
      const players = ['counted-ann', 'counted-bob'];
      const request = { queue: '1v1', build: 'counted', latencyMs: { local: 20 } };
      const tickets = await Promise.all(players.map((playerId) => queueUp(stack, [playerId], request)));
      const [first] = await Promise.all(tickets.map((ticket) => ticket.assigned()));
      await server.report(first?.sessionId ?? '', { winner: 0 });
      await Promise.all(tickets.map((ticket) => ticket.closed()));
      await vi.waitFor(async () => {
        const all = new Map<string, number>();
        for (const { httpPort } of stack.run.replicas) {
          const seen = await scrape(`http://127.0.0.1:${httpPort}`);
          // Other files make queues and pools of their own in the shared system.
          const ours = [...seen.keys()].filter((name) => !/[{,](queue|pool)="(?!1v1|duel)/.test(name));
          expect(ours.length).toBeLessThan(2_000);
          for (const [name, value] of seen) {
            all.set(name, Math.max(value, all.get(name) ?? 0));
            expect(name).not.toMatch(/counted-|"(tkt|mat|ses)_/);
          }
        }
        expect([...all.keys()].join('\n')).toMatch(
          /muster_grpc_calls_total\{method="RatingService\.\w+",outcome="ok"\}/,
        );
        expect(counted.filter((name) => (all.get(name) ?? 0) === 0)).toEqual([]);
      }, soon);
    } finally {
      await server.stop();
    }
  });

  it('is there while a store is away, without its figures, and whole when the store is back', async () => {
    proxy.shut();
    await vi.waitFor(async () => {
      const seen = await scrape(queue.url);
      expect(seen.get('muster_source_up{source="tickets"}')).toBe(0);
      expect(seen.get('muster_source_up{source="jobs"}')).toBe(0);
      expect([...seen.keys()].filter((name) => /^muster_(tickets|oldest|jobs_[wr]|dead)/.test(name))).toEqual(
        [],
      );
      expect(seen.get('muster_open_calls{muster_service="queue"}')).toBe(0);
      expect(seen.get('process_resident_memory_bytes')).toBeGreaterThan(0);
    }, soon);
    proxy.reopen();
    await vi.waitFor(async () => {
      const seen = await scrape(queue.url);
      expect(seen.get('muster_source_up{source="tickets"}')).toBe(1);
      expect(seen.get('muster_source_up{source="jobs"}')).toBe(1);
      expect(seen.get('muster_tickets_waiting{queue="5v5"}')).toBe(2);
    }, soon);
  });

  it('is not reached through the edge, by no spelling', async () => {
    for (const path of ['/metrics', '/metrics/', '/%6Detrics', '/v1/../metrics', '//metrics', '/metrics?x=1'])
      expect([path, (await ask(stack.url, path)).status]).toEqual([path, 404]);
  });
});
