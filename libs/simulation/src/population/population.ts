/** Where players live: who is near whom, and when they play. */
export interface PopulationRegion {
  readonly name: string;
  /** Part of all players, relative to the other regions. */
  readonly share: number;
  /** Hour of the day, UTC, at which most of them play; 0 to 24. */
  readonly peakHour: number;
  /** Least latency from there to the servers of each region, milliseconds. */
  readonly latencyMs: Readonly<Record<string, number>>;
}

/**
 * The players of a simulation, as a value. Skills are in units of the rating pool's mean; a match is decided by performances
 * that are normal about each player's true skill, which no matcher and no model is shown.
 */
export interface Population {
  readonly name: string;
  /** Players in the queue, in a match or between two, over the mean of a day, about. */
  readonly concurrentPlayers: number;
  /** How many accounts there are for each concurrent player, at least 2. */
  readonly accountsPerPlayer: number;
  /** How much more is played at the peak than on the mean, 0 (always the same) to 1. */
  readonly swing: number;
  readonly regions: readonly PopulationRegion[];
  /** What a connection adds to the region's latency: the mean of an exponential draw, milliseconds. */
  readonly connectionMs: number;
  readonly skill: {
    readonly mean: number;
    readonly sigma: number;
    /** Standard deviation of one performance. */
    readonly performance: number;
    /** Standard deviation of a known player's rating about their true skill; the rating claims it as its sigma. */
    readonly ratingError: number;
  };
  readonly parties: {
    /** Parts of all groups that queue: those of one player, of two, and so on. */
    readonly shares: readonly number[];
    /** Standard deviation of a friend's skill about that of the friend who asked them. */
    readonly friendSpread: number;
  };
  /** How long a group waits before it gives up: a log-normal draw for each time that it queues. */
  readonly patience: { readonly medianSeconds: number; readonly spread: number };
  /** The chance that a player does not connect to a match that was formed. */
  readonly noShow: number;
  readonly session: {
    /** Matches in a sitting, on the mean of a geometric draw; at least 1. */
    readonly matches: number;
    /** Between two matches, on the mean of an exponential draw. */
    readonly breakSeconds: number;
  };
  /** How long a match takes: normal about a mean, at least a quarter of it. */
  readonly match: { readonly minutes: number; readonly spreadMinutes: number };
  readonly newcomers: {
    /** Part of all groups: strangers to the pool, who come alone. */
    readonly share: number;
    /** How many matches of each are followed, in one sitting. */
    readonly matches: number;
    /** Part of them who are not calibrated though the rules calibrate, to compare with. */
    readonly control: number;
    /** Part of them who are smurfs: old hands under a new name. */
    readonly smurfs: number;
    /** True skill of a smurf above the mean, in standard deviations of the population's skill. */
    readonly smurfSigmas: number;
  };
  /** Part of the players who can play a role of the rules, by role; of a role that is not named, all can. */
  readonly roles: Readonly<Record<string, number>>;
}
