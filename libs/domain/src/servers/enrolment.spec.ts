import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEnrolment, type EnrolmentCaps } from './enrolment.js';

const open: EnrolmentCaps = { maxServers: null, maxSlots: null, regions: [], builds: [] };
const server = { region: 'eu', build: '1.4', slots: 10 };
const none = { servers: 0, slots: 0 };

describe('the caps of a fleet key', () => {
  it.each<[string, Partial<EnrolmentCaps>, { servers: number; slots: number }, string | null]>([
    ['nothing without caps', {}, { servers: 1e6, slots: 1e6 }, null],
    ['another region', { regions: ['us', 'ap'] }, none, 'fleet-refused'],
    ['not a region of several', { regions: ['us', 'eu'] }, none, null],
    ['another build', { builds: ['1.3'] }, none, 'fleet-refused'],
    ['one server too many', { maxServers: 3 }, { servers: 3, slots: 3 }, 'fleet-full'],
    ['not the last server', { maxServers: 3 }, { servers: 2, slots: 3 }, null],
    ['slots beyond the cap', { maxSlots: 19 }, { servers: 1, slots: 10 }, 'fleet-full'],
    ['not the last slots', { maxSlots: 20 }, { servers: 1, slots: 10 }, null],
  ])('refuse %s', (_, caps, others, code) => {
    const check = (): void => checkEnrolment({ ...open, ...caps }, others, server);
    if (code === null) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code }));
  });

  it('hold however many servers register one after another', () => {
    const caps = fc.record({
      maxServers: fc.integer({ min: 1, max: 5 }),
      maxSlots: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(caps, fc.array(fc.integer({ min: 1, max: 20 })), ({ maxServers, maxSlots }, all) => {
        const there = { servers: 0, slots: 0 };
        for (const slots of all) {
          try {
            checkEnrolment({ ...open, maxServers, maxSlots }, there, { ...server, slots });
          } catch {
            continue;
          }
          there.servers += 1;
          there.slots += slots;
        }
        expect(there.servers).toBeLessThanOrEqual(maxServers);
        expect(there.slots).toBeLessThanOrEqual(maxSlots);
      }),
    );
  });
});
