/** A server that plays one match after the other with whoever is there, as a value. Skills are in units of the pool's mean. */
export interface CommunityServer {
  /** Players of a full team; a match draws one of them. The server has places for two teams. */
  readonly teamSizes: readonly number[];
  readonly matchSeconds: number;
  /** Part of the places that are taken when the match begins: drawn evenly between the two. */
  readonly filled: readonly [least: number, most: number];
  readonly skill: {
    readonly mean: number;
    /** Standard deviation of true skill. */
    readonly sigma: number;
    /**
     * Standard deviation of one performance. OpenSkill's own default is 25/6; a casual round on a large server is less decided
     * by skill than a ranked match.
     */
    readonly performance: number;
    /** Standard deviation of a known player's rating about their true skill. */
    readonly ratingError: number;
    /** Part of the players whom the pool does not know: they are rated at the mean. */
    readonly strangers: number;
  };
  readonly parties: {
    /** Parts of all groups that come: those of one player, of two, and so on. */
    readonly shares: readonly number[];
    /** Standard deviation of a friend's skill about that of the friend who asked them. */
    readonly friendSpread: number;
  };
  /** How long a group stays while its team is as likely to win as not: the mean of an exponential draw. */
  readonly meanStaySeconds: number;
  /**
   * How much sooner those leave who lose: at a chance p below ½ time runs 1 + this · (1 − 2p) times as fast, so with 2 up to
   * three times. A stomp feeds itself.
   */
  readonly fleeing: number;
  /** Players who want to join, for each who would leave if nobody lost. Those who find the server full go away. */
  readonly demand: number;
  /** The mean of an exponential draw, and how long the dead wait. */
  readonly meanLifeSeconds: number;
  readonly respawnSeconds: number;
  /** The chance that somebody who is moved leaves at once, with no party to hold them. */
  readonly quitsWhenMoved: number;
  /** Once a minute in which a team's chance is below `below`, its players get a vote for even teams through with `chance`. */
  readonly votes: { readonly below: number; readonly chance: number };
}

/** 5 against 5 to 12 against 12, a quarter of an hour, people who come and go as they please. */
export const communityServer: CommunityServer = {
  teamSizes: [5, 8, 10, 12],
  matchSeconds: 900,
  filled: [0.75, 1],
  skill: { mean: 25, sigma: 25 / 3, performance: 25 / 3, ratingError: 2.5, strangers: 0.1 },
  parties: { shares: [0.8, 0.15, 0.05], friendSpread: 4 },
  meanStaySeconds: 1_800,
  fleeing: 2,
  demand: 1.5,
  meanLifeSeconds: 30,
  respawnSeconds: 6,
  quitsWhenMoved: 0.05,
  votes: { below: 0.3, chance: 0.25 },
};

/** Half as many leave, fewer of them because they lose, and players are more alike. */
export const calmServer: CommunityServer = {
  ...communityServer,
  skill: { ...communityServer.skill, sigma: 5 },
  meanStaySeconds: 3_600,
  fleeing: 1,
};

/** Nobody comes or leaves: with teams even by rating, how fair matches can be that are known by ratings alone. */
export const stillServer: CommunityServer = { ...communityServer, meanStaySeconds: 1e12 };

/** Servers to try policies on, by name. */
export const liveServers: Readonly<Record<string, CommunityServer>> = {
  community: communityServer,
  calm: calmServer,
  still: stillServer,
};
