import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlotIndex } from './slot-index.js';

describe('slots by ticket id', () => {
  it('are those of a map, whatever is added and removed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 400 })), { maxLength: 1_500, size: 'max' }),
        (changes) => {
          const ids: string[] = [];
          const index = new SlotIndex(ids);
          const model = new Map<string, number>();
          for (const [joins, n] of changes) {
            const id = `tkt_${n}`;
            if (joins && !model.has(id)) {
              const slot = ids.push(id) - 1;
              index.add(slot);
              model.set(id, slot);
            } else if (!joins && model.has(id)) {
              index.delete(id);
              model.delete(id);
            }
          }
          expect(index.size).toBe(model.size);
          for (let n = 0; n <= 400; n++) expect(index.get(`tkt_${n}`)).toBe(model.get(`tkt_${n}`));
        },
      ),
      { numRuns: 60 },
    );
  });
});
