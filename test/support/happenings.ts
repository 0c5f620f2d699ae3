/** Records entries, and lets a test wait for future ones. */
export class Happenings<T> {
  readonly all: T[] = [];
  private readonly watchers = new Set<() => void>();

  push(entry: T): void {
    this.all.push(entry);
    for (const look of this.watchers) look();
  }

  /** The first matching entry, past or future. */
  first(wanted: (entry: T) => boolean): Promise<T> {
    return this.until(() => this.all.find(wanted));
  }

  /** The first `count` entries, once they exist. */
  many(count: number): Promise<T[]> {
    return this.until(() => (this.all.length >= count ? this.all.slice(0, count) : undefined));
  }

  private until<R>(look: () => R | undefined): Promise<R> {
    return new Promise((resolve) => {
      const watch = (): void => {
        const found = look();
        if (found === undefined) return;
        this.watchers.delete(watch);
        resolve(found);
      };
      this.watchers.add(watch);
      watch();
    });
  }
}
