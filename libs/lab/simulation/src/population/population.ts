/** Where players live: distances, and when they play. */
export interface PopulationRegion {
  readonly name: string;
  /** Part of all players, relative to the other regions. */
  readonly share: number;
  /** Hour of the day, UTC, of the peak; 0 to 24. */
  readonly peakHour: number;
  /** Least latency from there to the servers of each region, milliseconds. */
  readonly latencyMs: Readonly<Record<string, number>>;
}

/**
 * The players of a simulation, as a value. Skills are in units of the rating pool's mean; a match is decided by
 * performances that are normal about each player's true skill, which is hidden from matchers and models.
 */
export interface Population {
  readonly name: string;
  /** Players in the queue, in a match or between two, averaged over a day, approximately. */
  readonly concurrentPlayers: number;
  /** Accounts per concurrent player, at least 2. */
  readonly accountsPerPlayer: number;
  /** The peak's excess over the mean, 0 (constant) to 1. */
  readonly swing: number;
  readonly regions: readonly PopulationRegion[];
  /** The connection's addition to the region's latency: the mean of an exponential draw, milliseconds. */
  readonly connectionMs: number;
  readonly skill: {
    readonly mean: number;
    readonly sigma: number;
    /** Standard deviation of one performance. */
    readonly performance: number;
    /** Standard deviation of a known player's rating about their true skill; the rating reports it as its sigma. */
    readonly ratingError: number;
  };
  readonly parties: {
    /** Parts of all groups that queue: those of one player, of two, and so on. */
    readonly shares: readonly number[];
    /** Standard deviation of a friend's skill about that of the friend who invited them. */
    readonly friendSpread: number;
  };
  /** How long a group waits before it gives up: a log-normal draw each time it queues. */
  readonly patience: { readonly medianSeconds: number; readonly spread: number };
  /** The chance that a player does not connect to a formed match. */
  readonly noShow: number;
  readonly session: {
    /** Matches in a session, the mean of a geometric draw; at least 1. */
    readonly matches: number;
    /** Time between two matches, the mean of an exponential draw. */
    readonly breakSeconds: number;
  };
  /** The length of a match: normal about a mean, at least a quarter of it. */
  readonly match: { readonly minutes: number; readonly spreadMinutes: number };
  readonly newcomers: {
    /** Part of all groups: newcomers to the pool, without parties. */
    readonly share: number;
    /** Matches of each that are tracked, in one session. */
    readonly matches: number;
    /** Part of them who are not calibrated though the rules calibrate, for comparison. */
    readonly control: number;
    /** Part of them who are smurfs: experienced players with a new account. */
    readonly smurfs: number;
    /** True skill of a smurf above the mean, in standard deviations of the population's skill. */
    readonly smurfSigmas: number;
  };
  /** Part of the players who can play a role of the rules, by role; an unnamed role is playable for all. */
  readonly roles: Readonly<Record<string, number>>;
}
