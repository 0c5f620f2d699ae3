/** Waits for a silence. */
export interface Silence {
  /** Something was heard: the time begins anew. */
  heard(): void;
  /** Waits no longer. */
  end(): void;
}

/** Calls `after` once nothing was heard for `ms`. Browsers cannot set a timer back, so a new one begins. */
export function silenceOf(ms: number, after: () => void): Silence {
  let timer = setTimeout(after, ms);
  return {
    heard() {
      clearTimeout(timer);
      timer = setTimeout(after, ms);
    },
    end: () => clearTimeout(timer),
  };
}
