import type { Row } from './row.js';

/** Two faults that begin at once; each ends after its own time. */
export function together(first: Row, second: Row): Row {
  const { surround = second.surround } = first;
  return {
    name: `${first.name}+${second.name}`,
    what: `${first.what}, and ${second.what}`,
    seconds: Math.max(first.seconds, second.seconds),
    ...(surround ? { surround } : {}),
    begin: async (scene) => {
      const ends = await Promise.all([first, second].map((row) => lasting(row, scene)));
      return async () => void (await Promise.all(ends.map((end) => end())));
    },
  };
}

/** Begins a fault, which ends by itself after its time. @returns a function that waits for its end */
async function lasting(
  { begin, seconds }: Row,
  scene: Parameters<Row['begin']>[0],
): Promise<() => Promise<void>> {
  const end = await begin(scene);
  const over = new Promise<void>((resolve) => setTimeout(resolve, seconds * 1_000)).then(end);
  return () => over;
}
