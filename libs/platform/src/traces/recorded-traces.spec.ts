import { traced } from '@muster/contracts';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OtlpReceiver } from '@muster/testing';
import { traceFields } from '../core/active-span.js';
import { openTraces } from './open-traces.js';
import { RecordedTraces } from './recorded-traces.js';
import { traceSettings } from '../core/trace-settings.js';

const caller = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

function record(settings: Record<string, string> = {}) {
  const exporter = new InMemorySpanExporter();
  const processor = new SimpleSpanProcessor({ exporter });
  const traces = new RecordedTraces('test', '', traceSettings.parse(settings), processor);
  return { traces, ended: () => exporter.getFinishedSpans() };
}

describe('traces', () => {
  it('are off without a receiver', async () => {
    expect(await openTraces('test', traceSettings.parse({}), { warn: () => undefined })).toBeNull();
  });

  it('make spans of one another while their work goes on, and name the trace in the log', async () => {
    const { traces, ended } = record();
    await traced(traces, 'outer', { parent: caller }, async () => {
      await Promise.resolve();
      expect(traceFields()).toEqual({ traceId: 'a'.repeat(32) });
      await traced(traces, 'inner', {}, async () => undefined);
    });
    expect(traceFields()).toEqual({});
    const [inner, outer] = ended();
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
    expect(outer?.parentSpanContext).toMatchObject({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) });
  });

  it('do not continue a span that has ended, as a batch would that others joined', async () => {
    const { traces } = record();
    const span = traces.begin('call', { parent: caller });
    let batch = Promise.resolve();
    await traces.within(span, async () => {
      batch = new Promise((resolve) => setTimeout(resolve, 5)).then(() => {
        expect(traces.active).toBeUndefined();
      });
    });
    span.end();
    await batch;
  });

  it('take the decision of a caller who is trusted, and a share of all others', () => {
    const trusting = record({ TRACES_TRUST_CALLERS: 'yes', OTEL_TRACES_SAMPLER_ARG: '0' }).traces;
    const begin = (traces: RecordedTraces, traceparent?: string) =>
      traces.begin('call', traces.originOf({ traceparent }));
    expect(begin(trusting, caller).isRecorded).toBe(true);
    expect(begin(trusting, caller.replace(/1$/, '0')).isRecorded).toBe(false);
    expect(begin(trusting).isRecorded).toBe(false);
    const wary = record({ OTEL_TRACES_SAMPLER_ARG: '0' }).traces;
    expect(begin(wary, caller).isRecorded).toBe(false);
    const all = record({ OTEL_TRACES_SAMPLER: 'always_on', OTEL_TRACES_SAMPLER_ARG: '0' }).traces;
    expect(begin(all).isRecorded).toBe(true);
    const none = record({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }).traces;
    expect(begin(none).isRecorded).toBe(false);
    const half = record({ OTEL_TRACES_SAMPLER_ARG: '0.5' }).traces;
    const sampled = Array.from({ length: 2_000 }, () => begin(half, caller)).filter(
      (span) => span.isRecorded,
    );
    expect(Math.abs(sampled.length - 1_000)).toBeLessThan(200);
    expect(new Set(sampled.map(({ traceId }) => traceId)).size).toBe(sampled.length);
  });

  it('say of an error its kind, not its message', async () => {
    const { traces, ended } = record();
    await expect(
      traced(traces, 'call', {}, () => Promise.reject(new TypeError('ann is queued'))),
    ).rejects.toThrow('ann');
    expect(JSON.stringify(ended()[0]?.attributes)).toBe('{"error.type":"TypeError"}');
    expect(ended()[0]?.status).toEqual({ code: 2 });
  });

  it.each(['silent', 'refusing'] as const)(
    'end soon, and hold no call up, when the receiver is %s',
    async (mood) => {
      const receiver = await OtlpReceiver.start();
      onTestFinished(() => receiver.stop());
      receiver.mood = mood;
      const settings = traceSettings.parse({ OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/` });
      const traces = await openTraces('test', settings, { warn: () => undefined });
      // More than wait for export.
      for (let n = 0; n < 6_000; n++) traces?.begin('call', { parent: caller }).end();
      const endedAt = performance.now();
      await traces?.close();
      expect(performance.now() - endedAt).toBeLessThan(6_000);
      expect(receiver.requests).toBeGreaterThan(0);
    },
  );

  it('reach the receiver with the name of their service', async () => {
    const receiver = await OtlpReceiver.start();
    onTestFinished(() => receiver.stop());
    const settings = traceSettings.parse({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_SERVICE_NAME: 'mine',
    });
    const traces = await openTraces('test', settings, { warn: () => undefined });
    const other = caller.replaceAll('a', 'c');
    const span = traces?.begin('call', {
      parent: caller,
      links: [other],
      attributes: { 'muster.queue': '1v1' },
    });
    span?.end();
    await traces?.close();
    expect(receiver.spans).toMatchObject([
      {
        service: 'mine',
        traceId: 'a'.repeat(32),
        parentSpanId: 'b'.repeat(16),
        links: [{ traceId: 'c'.repeat(32) }],
        attributes: { 'muster.queue': '1v1' },
      },
    ]);
  });
});
