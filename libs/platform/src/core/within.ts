/**
 * The outcome of work that has this much time; the work itself goes on.
 *
 * @throws the error of `late` when the time is over
 */
export async function within<T>(
  limitMs: number,
  work: Promise<T>,
  late: () => Error = () => new Error(`no answer within ${limitMs} ms`),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), limitMs);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
