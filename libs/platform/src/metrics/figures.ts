/** A figure that a service exports. */
export interface Figure {
  /** In seconds where it ends in `_seconds`. */
  readonly name: `muster_${string}`;
  /** Its meaning, as the exposition and docs/metrics.md state it. */
  readonly help: string;
  readonly labels: readonly string[];
}

/** All figures, by what the code calls them. docs/metrics.md lists them; a test compares both. */
export const figures = {
  sourceUp: {
    name: 'muster_source_up',
    help: 'Whether a source of figures answered this scrape: 1, or 0, and then its figures are missing.',
    labels: ['source'],
  },
  openCalls: {
    name: 'muster_open_calls',
    help: 'Event streams and long polls that this process holds open.',
    labels: ['muster_service'],
  },
  ticketsWaiting: {
    name: 'muster_tickets_waiting',
    help: 'Tickets that wait for a match.',
    labels: ['queue'],
  },
  oldestTicket: {
    name: 'muster_oldest_ticket_seconds',
    help: 'Age of the waiting ticket that expires first; 0 without one.',
    labels: ['queue'],
  },
  jobsWaiting: {
    name: 'muster_jobs_waiting',
    help: 'Jobs that no worker has taken yet.',
    labels: ['job_queue'],
  },
  jobsRetrying: {
    name: 'muster_jobs_retrying',
    help: 'Jobs that failed and are due again later.',
    labels: ['job_queue'],
  },
  oldestJob: {
    name: 'muster_oldest_job_seconds',
    help: 'Time since the next waiting job was sent or last tried; 0 without one.',
    labels: ['job_queue'],
  },
  deadLetters: {
    name: 'muster_dead_letters',
    help: 'Jobs that used up their attempts.',
    labels: ['job_queue'],
  },
  outboxLag: {
    name: 'muster_outbox_lag_seconds',
    help: 'Age of the oldest outbox row that is not sent; 0 without one.',
    labels: ['owner'],
  },
  slots: {
    name: 'muster_slots',
    help: 'Slots of servers that are ready or draining, by state: used, free, or draining for unused slots of a draining server.',
    labels: ['region', 'state'],
  },
  registrationsRefused: {
    name: 'muster_registrations_refused',
    help: 'Registrations under the id of a server at another address, since the process began.',
    labels: ['muster_service'],
  },
  outageMatches: {
    name: 'muster_outage_matches',
    help: 'Matches whose penalties were lifted because most matches of their server, region or time blamed players, since the process began.',
    labels: ['muster_service'],
  },
  openCases: {
    name: 'muster_cases_open',
    help: 'Cases of integrity that wait for an operator, of the oldest 10,000.',
    labels: ['kind'],
  },
} as const satisfies Record<string, Figure>;
export type FigureName = keyof typeof figures;

/** One value of a figure. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a source answers: for each of its figures, all values. */
export type Samples = Partial<Readonly<Record<FigureName, readonly Sample[]>>>;

/** Where figures come from. */
export interface FigureSource {
  /** Unique in the process; a second source of the same name is ignored. */
  readonly name: string;
  /** Whether `muster_source_up` reports it: true for one that asks a store. */
  readonly asksStore: boolean;
  /** Reads the values. The cost must not depend on how much a store holds. */
  read(): Promise<Samples>;
}

/** An age in seconds; 0 for a time ahead, because clocks differ. */
export const ageSeconds = (now: number, since: number): number => Math.max(0, now - since) / 1000;
