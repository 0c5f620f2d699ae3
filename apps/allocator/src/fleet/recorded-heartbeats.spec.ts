import { describe, expect, it } from 'vitest';
import { RecordedHeartbeats } from './recorded-heartbeats.js';

const server = { serverId: 's1', incarnation: 1 };
const standing = { state: 'ready', slotsInUse: 1 } as const;
const heldMs = 4_000;

function recorded(): RecordedHeartbeats {
  const heartbeats = new RecordedHeartbeats(heldMs);
  heartbeats.record(server, { cpuLoad: 0, sessions: ['a', 'b'] }, 1_000, standing);
  return heartbeats;
}

describe('a heartbeat', () => {
  it('repeats the recorded one if it names the same sessions soon after', () => {
    const heartbeats = recorded();
    const same = { cpuLoad: 0.5, sessions: ['a', 'b'] };
    expect(heartbeats.repeated(server, same, 4_999)).toMatchObject({ at: 1_000, standing });
    expect(heartbeats.repeated(server, same, 5_000)).toBeNull();
  });

  it.each([
    { sessions: ['a'] },
    { sessions: ['a', 'c'] },
    { sessions: ['a', 'b', 'c'] },
    { sessions: undefined },
  ])('is to be recorded if it names other sessions: $sessions', ({ sessions }) => {
    expect(recorded().repeated(server, { cpuLoad: 0, sessions }, 1_001)).toBeNull();
  });

  it('is to be recorded if its load is judged otherwise', () => {
    const heartbeats = recorded();
    const same = { cpuLoad: 0.5, sessions: ['a', 'b'] };
    expect(heartbeats.repeated(server, { ...same, load: 'under' }, 1_001)).not.toBeNull();
    expect(heartbeats.repeated(server, { ...same, load: 'over' }, 1_001)).toBeNull();
    heartbeats.record(server, { ...same, load: 'over' }, 1_001, standing);
    expect(heartbeats.wasLoaded('s1')).toBe(true);
    expect(heartbeats.repeated(server, { ...same, load: 'between' }, 1_002)).toBeNull();
    heartbeats.record(server, { ...same, load: 'under' }, 1_002, standing);
    expect([heartbeats.wasLoaded('s1'), heartbeats.wasLoaded('s2')]).toEqual([false, false]);
  });

  it('is to be recorded if it is of another registration, of an unknown server, or from before', () => {
    const heartbeats = recorded();
    const same = { cpuLoad: 0, sessions: ['a', 'b'] };
    expect(heartbeats.repeated({ ...server, incarnation: 2 }, same, 1_001)).toBeNull();
    expect(heartbeats.repeated({ ...server, serverId: 's2' }, same, 1_001)).toBeNull();
    expect(heartbeats.repeated(server, same, 999)).toBeNull();
  });

  it('is to be recorded after a change of the standing', () => {
    const heartbeats = recorded();
    heartbeats.forget('s1');
    expect(heartbeats.repeated(server, { cpuLoad: 0, sessions: ['a', 'b'] }, 1_001)).toBeNull();
  });
});
