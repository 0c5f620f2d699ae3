import { describe, expect, it } from 'vitest';
import { ageSeconds, type FigureSource, type Samples } from './figures.js';
import { Metrics } from './metrics.js';

const clock = (): { now(): number; at: number } => {
  const time = { at: 0, now: () => time.at };
  return time;
};

/** A source of one value. */
const source = (read: () => Promise<Samples>, name = 'tickets'): FigureSource => ({
  name,
  asksStore: true,
  read,
});
const waiting = (value: number): Samples => ({ ticketsWaiting: [{ labels: { queue: '5v5' }, value }] });

/** The lines of Muster's own figures, without comments. */
const values = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('muster_'));

describe('Metrics', () => {
  it('shows the values of its sources, and none that a source no longer has', async () => {
    const time = clock();
    const metrics = new Metrics(time, () => undefined);
    let samples = waiting(3);
    metrics.add(source(async () => samples));
    expect(values(await metrics.text())).toEqual([
      'muster_source_up{source="tickets"} 1',
      'muster_tickets_waiting{queue="5v5"} 3',
    ]);
    samples = {};
    time.at = 1_000;
    expect(values(await metrics.text())).toEqual(['muster_source_up{source="tickets"} 1']);
  });

  it('reads a source once a second, however many scrape', async () => {
    const time = clock();
    const metrics = new Metrics(time, () => undefined);
    let reads = 0;
    metrics.add(source(async () => waiting((reads += 1))));
    await Promise.all(Array.from({ length: 50 }, () => metrics.text()));
    time.at = 999;
    await metrics.text();
    expect(reads).toBe(1);
    time.at = 1_000;
    expect(values(await metrics.text())).toContain('muster_tickets_waiting{queue="5v5"} 2');
  });

  it('shows the other sources when one fails or is silent, and reports which', async () => {
    const time = clock();
    const failed: string[] = [];
    const metrics = new Metrics(time, (name, error) => failed.push(`${name}: ${String(error)}`), 5);
    let reads = 0;
    metrics.add(
      source(() => {
        reads++;
        return new Promise(() => undefined);
      }, 'silent'),
    );
    metrics.add(
      source(() => {
        throw new Error('away');
      }, 'failing'),
    );
    metrics.add(source(async () => waiting(7)));
    const expected = [
      'muster_source_up{source="silent"} 0',
      'muster_source_up{source="failing"} 0',
      'muster_source_up{source="tickets"} 1',
      'muster_tickets_waiting{queue="5v5"} 7',
    ];
    expect(values(await metrics.text())).toEqual(expected);
    expect(failed).toEqual(['failing: Error: away', 'silent: Error: no answer within 5 ms']);
    time.at = 1_000;
    expect(values(await metrics.text())).toEqual(expected);
    expect(reads, 'a read that hangs is not joined by another').toBe(1);
    time.at = 30_000;
    await metrics.text();
    expect(reads, 'until it is given up').toBe(2);
  });

  it('reads a source again after it failed', async () => {
    const time = clock();
    const metrics = new Metrics(time, () => undefined);
    let answers = false;
    metrics.add(
      source(async () => {
        if (!answers) throw new Error('away');
        return waiting(1);
      }),
    );
    expect(values(await metrics.text())).toEqual(['muster_source_up{source="tickets"} 0']);
    [answers, time.at] = [true, 1_000];
    expect(values(await metrics.text())).toContain('muster_tickets_waiting{queue="5v5"} 1');
  });

  it('ignores the second of two sources of one name, which services of one process share', async () => {
    const metrics = new Metrics(clock(), () => undefined);
    metrics.add(source(async () => waiting(1)));
    metrics.add(source(async () => waiting(2)));
    expect(values(await metrics.text())).toContain('muster_tickets_waiting{queue="5v5"} 1');
  });

  it('keeps names in their label, whatever they contain', async () => {
    const metrics = new Metrics(clock(), () => undefined);
    metrics.add(
      source(async () => ({ slots: [{ labels: { region: 'a"}\n\\ 1', state: 'used' }, value: 1 }] })),
    );
    expect(values(await metrics.text())).toContain(
      String.raw`muster_slots{region="a\"}\n\\ 1",state="used"} 1`,
    );
  });
});

describe('what a process counts', () => {
  const counted = async (metrics: Metrics): Promise<string[]> =>
    values(await metrics.text()).filter((line) => !line.includes('_bucket'));

  it('is shown by labels, and only what has happened', async () => {
    const metrics = new Metrics(clock(), () => undefined);
    const silent = new Metrics(clock(), () => undefined);
    expect(await silent.text()).not.toContain('muster_');
    metrics.count('matchesProposed', { queue: '5v5' });
    metrics.count('matchesProposed', { queue: '5v5' }, 2);
    metrics.count('matchesProposed', { queue: '1v1' });
    expect(await counted(metrics)).toEqual([
      'muster_matches_proposed_total{queue="5v5"} 3',
      'muster_matches_proposed_total{queue="1v1"} 1',
    ]);
    const later = new Metrics(clock(), () => undefined);
    later.observe('timeToMatch', { queue: '5v5' }, 3);
    later.observe('timeToMatch', { queue: '5v5' }, 40);
    expect(later.timed('splitDuration', { queue: '5v5' }, () => 'teams')).toBe('teams');
    const fresh = values(await later.text());
    expect(fresh).toContain('muster_ticket_match_seconds_bucket{le="2",queue="5v5"} 0');
    expect(fresh).toContain('muster_ticket_match_seconds_bucket{le="5",queue="5v5"} 1');
    expect(fresh).toContain('muster_ticket_match_seconds_sum{queue="5v5"} 43');
    expect(fresh).toContain('muster_split_seconds_count{queue="5v5"} 1');
  });

  it('keeps a bounded number of series, and the total', async () => {
    const metrics = new Metrics(clock(), () => undefined);
    for (let i = 0; i < 1_000; i++) metrics.count('matchesProposed', { queue: `q${i}` });
    metrics.count('matchesProposed', { queue: 'q0' });
    const lines = (await counted(metrics)).filter((line) => line.startsWith('muster_matches'));
    expect(lines).toHaveLength(201);
    expect(lines).toContain('muster_matches_proposed_total{queue="q0"} 2');
    expect(lines).toContain('muster_matches_proposed_total{queue="other"} 800');
    expect(await counted(metrics)).toContain(
      'muster_observations_merged_total{figure="muster_matches_proposed_total"} 800',
    );
  });

  it('may be kept by a store, which states the whole value', async () => {
    const time = clock();
    const metrics = new Metrics(time, () => undefined);
    let value = 5;
    metrics.add(source(async () => ({ ticketsAccepted: [{ labels: { queue: '5v5' }, value }] })));
    expect(values(await metrics.text())).toContain('muster_tickets_accepted_total{queue="5v5"} 5');
    [value, time.at] = [7, 1_000];
    expect(values(await metrics.text())).toContain('muster_tickets_accepted_total{queue="5v5"} 7');
  });
});

describe('ageSeconds', () => {
  it('is never negative: the clocks of two machines differ', () => {
    expect(ageSeconds(5_000, 2_000)).toBe(3);
    expect(ageSeconds(2_000, 5_000)).toBe(0);
  });
});
