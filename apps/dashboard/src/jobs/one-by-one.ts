/** How far it is. */
export interface Progress {
  readonly done: number;
  /** Those that another caller was faster with. */
  readonly gone: number;
}

/**
 * Acts on everything that a list has, one after the other, each once: what fails again and is back in the list is left there.
 *
 * @param list the first page of what is left
 * @param act 'gone': it is there no more
 * @returns yields after each; throws what `act` throws, with the rest untouched
 */
export async function* oneByOne(
  list: () => Promise<readonly string[]>,
  act: (id: string) => Promise<'done' | 'gone'>,
): AsyncGenerator<Progress, void, undefined> {
  const seen = new Set<string>();
  let progress: Progress = { done: 0, gone: 0 };
  for (;;) {
    const fresh = (await list()).filter((id) => !seen.has(id));
    if (fresh.length === 0) return;
    for (const id of fresh) {
      seen.add(id);
      const became = await act(id);
      progress = { ...progress, [became]: progress[became] + 1 };
      yield progress;
    }
  }
}
