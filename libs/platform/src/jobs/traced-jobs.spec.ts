import { jobQueues, MatchJob } from '@muster/contracts';
import { startTestRedis, type TestRedis } from '@muster/testing';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { traceSettings } from '../core/trace-settings.js';
import { RecordedTraces } from '../traces/recorded-traces.js';
import { JobSender } from './job-sender.js';
import { workOn } from './job-worker.js';

const log = pino({ level: 'silent' });
const clock = { sound: true, onChange: () => undefined };
const traceOf = (digit: string): string => digit.repeat(32);

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis.stop());

it('items of a job are spans of their own traces; one without a trace is none', async () => {
  const exporter = new InMemorySpanExporter();
  const traces = new RecordedTraces(
    'test',
    '',
    traceSettings.parse({}),
    new SimpleSpanProcessor({ exporter }),
  );
  const realm = `traced-${randomUUID()}`;
  const seen = new Map<string, string | undefined>();
  const handle = async (job: MatchJob): Promise<void> => {
    await Promise.resolve();
    expect(job).toEqual({ matchId: job.matchId });
    seen.set(job.matchId, traces.active?.traceId);
  };
  const options = { target: redis.url, realm, log, clock, traces, concurrency: 1 };
  const worker = workOn(jobQueues.rateMatch, MatchJob, handle, options);
  onTestFinished(() => worker.stop());
  const sender = new JobSender(redis.url, realm, log);
  onTestFinished(() => sender.close());
  await sender.ready();
  await worker.ready();
  const payloads = [...'ab'].map((digit) => ({
    matchId: digit,
    trace: `00-${traceOf(digit)}-${'c'.repeat(16)}-01`,
  }));
  const items = [...payloads, { matchId: 'none' }].map((payload) => ({ jobId: payload.matchId, payload }));
  await sender.send(jobQueues.rateMatch, items);
  await expect.poll(() => seen.size).toBe(3);
  expect([...seen].toSorted()).toEqual([
    ['a', traceOf('a')],
    ['b', traceOf('b')],
    ['none', undefined],
  ]);
  await expect.poll(() => exporter.getFinishedSpans().length).toBe(2);
  for (const { name, kind, attributes, parentSpanContext } of exporter.getFinishedSpans())
    expect([name, kind, attributes['muster.match.id'], parentSpanContext?.traceId]).toEqual([
      'process rate-match',
      4,
      expect.stringMatching(/^[ab]$/),
      traceOf(String(attributes['muster.match.id'])),
    ]);
});
