import fc from 'fast-check';
import { expect, it } from 'vitest';
import { snapshot, type CreateStore } from './conformance/harness.js';
import { commandIds, commandLists, carryOut } from './ticket-commands.js';

/**
 * Gives the same random commands to two stores and expects the same answers and the same contents after each.
 *
 * @param name the adapter, for the report
 * @param create makes the adapter's store
 * @param createModel makes the store that it is compared with
 */
export function describeSameBehaviour(
  name: string,
  create: CreateStore,
  createModel: CreateStore,
  options: { readonly runs?: number } = {},
): void {
  it(`${name}: answers any commands as its twin does`, { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(commandLists, async (commands) => {
        const [made, model] = await Promise.all([create(), createModel()]);
        try {
          for (const { at, command } of commands) {
            const [answer, expected] = [
              await carryOut(made.store, command, at),
              await carryOut(model.store, command, at),
            ];
            expect(answer).toEqual(expected);
            expect(await snapshot(made.store, commandIds.tickets)).toEqual(
              await snapshot(model.store, commandIds.tickets),
            );
          }
        } finally {
          await made.dispose?.();
          await model.dispose?.();
        }
      }),
      { numRuns: options.runs ?? 100 },
    );
  });
}
