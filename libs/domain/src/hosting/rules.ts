/** Which provider is asked for servers of these builds in these regions. */
export interface HostingRule {
  /** Absent: any build. */
  readonly builds?: readonly string[] | undefined;
  /** Absent: any region. */
  readonly regions?: readonly string[] | undefined;
  /** The name of a provider; `direct`: servers of the rule register by themselves, and none is asked for. */
  readonly provider: string;
}

/** A provider that may be asked for a server of a region; null: of any. */
export interface HostingChoice {
  readonly provider: string;
  readonly region: string | null;
}

/** Limits of one provider. */
export interface ProviderLimits {
  /** Sessions of one server. */
  readonly slots: number;
  /** Requests without a registered server that may be open at once, over all replicas. */
  readonly maxPending: number;
  /** How long an allocation may be without a registered server, in milliseconds. */
  readonly claimMs: number;
}

/** A need that is to be met, and who may be asked, best first. */
export interface HostingNeed {
  readonly build: string;
  readonly regions: readonly string[];
  /** 0: only spare slots are missing. */
  readonly waitingMatches: number;
  /** The slots that are missing, with those of open requests. */
  readonly slots: number;
  readonly choices: readonly (HostingChoice & ProviderLimits)[];
}

/**
 * The providers that may be asked, best first: for each wanted region the first rule that fits. A need without regions
 * may be met anywhere: every rule that fits the build, each with the first of its regions.
 */
export function choicesFor(
  rules: readonly HostingRule[],
  build: string,
  regions: readonly string[],
): HostingChoice[] {
  const fitting = rules.filter((rule) => rule.builds?.includes(build) ?? true);
  const choices =
    regions.length === 0
      ? fitting.map(({ provider, regions: [region = null] = [] }) => ({ provider, region }))
      : regions.flatMap((region) => {
          const rule = fitting.find((each) => each.regions?.includes(region) ?? true);
          return rule ? [{ provider: rule.provider, region }] : [];
        });
  return choices.filter(
    ({ provider, region }, i) =>
      choices.findIndex((each) => each.provider === provider && each.region === region) === i,
  );
}

/** What a choice has room for. */
export interface HostingRoom extends HostingChoice {
  /** Sessions of one server. */
  readonly slots: number;
  /** Requests without a registered server that the provider may have open at once. */
  readonly maxPending: number;
  /** Those that it has open, for any need. */
  readonly open: number;
  /** Those of this need and choice that had no error so far. */
  readonly awaited: number;
  /** Those of this need and choice whose last request failed. */
  readonly failing: number;
  /** Those of this need and choice that the provider refused a moment ago. They are over, and not open. */
  readonly refused: number;
}

/**
 * How many servers each choice is asked for, so that with those awaited no slot is missing. What
 * fails with one choice, or was refused there, is not asked for there a second time, but with the next.
 */
export function serversToAsk(rooms: readonly HostingRoom[], wanted: number): number[] {
  const awaitedSlots = rooms.reduce((sum, { awaited, slots }) => sum + awaited * slots, 0);
  const added = new Map<string, number>();
  let missing = wanted - awaitedSlots;
  return rooms.map(({ provider, slots, maxPending, open, failing, refused }) => {
    const before = added.get(provider) ?? 0;
    const room = maxPending - open - refused - before;
    const count = Math.max(0, Math.min(Math.ceil(missing / slots) - failing - refused, room));
    added.set(provider, before + count);
    missing -= count * slots;
    return count;
  });
}
