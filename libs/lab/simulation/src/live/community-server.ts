/**
 * A server that plays one match after the other with the players present, as a value. Skills are in units of the pool's
 * mean.
 */
export interface CommunityServer {
  /** Players of a full team; a match draws one of them. The server has places for two teams. */
  readonly teamSizes: readonly number[];
  readonly matchSeconds: number;
  /** Part of the places taken at the start of the match: drawn evenly between the two. */
  readonly filled: readonly [least: number, most: number];
  readonly skill: {
    readonly mean: number;
    /** Standard deviation of true skill. */
    readonly sigma: number;
    /**
     * Standard deviation of one performance. OpenSkill's own default is 25/6; skill decides a casual round on a large
     * server less than a ranked match.
     */
    readonly performance: number;
    /** Standard deviation of a known player's rating about their true skill. */
    readonly ratingError: number;
    /** Part of the players without a rating in the pool: they have the mean. */
    readonly newcomers: number;
  };
  readonly parties: {
    /** Parts of all groups: those of one player, of two, and so on. */
    readonly shares: readonly number[];
    /** Standard deviation of a friend's skill about that of the friend who invited them. */
    readonly friendSpread: number;
  };
  /** How long a group stays while its team's chance is even: the mean of an exponential draw. */
  readonly meanStaySeconds: number;
  /**
   * How much sooner losing players leave: at a chance p below ½ time runs 1 + this · (1 − 2p) times as fast, so with 2 up
   * to three times. A stomp reinforces itself.
   */
  readonly fleeing: number;
  /** Arrivals per departure without losses. Players who find the server full go away. */
  readonly demand: number;
  /** Mean of an exponential draw, and the respawn delay. */
  readonly meanLifeSeconds: number;
  readonly respawnSeconds: number;
  /** The chance that a moved player without a party leaves at once. */
  readonly quitsWhenMoved: number;
  /**
   * Once a minute in which a team's chance is below `below`, its players pass a vote for even teams with probability
   * `chance`.
   */
  readonly votes: { readonly below: number; readonly chance: number };
}

/** 5 against 5 to 12 against 12, a quarter of an hour, with frequent arrivals and departures. */
export const communityServer: CommunityServer = {
  teamSizes: [5, 8, 10, 12],
  matchSeconds: 900,
  filled: [0.75, 1],
  skill: { mean: 25, sigma: 25 / 3, performance: 25 / 3, ratingError: 2.5, newcomers: 0.1 },
  parties: { shares: [0.8, 0.15, 0.05], friendSpread: 4 },
  meanStaySeconds: 1_800,
  fleeing: 2,
  demand: 1.5,
  meanLifeSeconds: 30,
  respawnSeconds: 6,
  quitsWhenMoved: 0.05,
  votes: { below: 0.3, chance: 0.25 },
};

/** Half as many departures, fewer of them because of losses, and players of similar skill. */
export const calmServer: CommunityServer = {
  ...communityServer,
  skill: { ...communityServer.skill, sigma: 5 },
  meanStaySeconds: 3_600,
  fleeing: 1,
};

/** No arrivals or departures: with teams even by rating, this shows the fairness that ratings alone can reach. */
export const stillServer: CommunityServer = { ...communityServer, meanStaySeconds: 1e12 };

/** Servers to try policies on, by name. */
export const liveServers: Readonly<Record<string, CommunityServer>> = {
  community: communityServer,
  calm: calmServer,
  still: stillServer,
};
