import { endpointOf, type Service } from '@muster/contracts';
import { MusterProblem } from '@muster/sdk';
import { wordsOfError } from '../../ui/states.js';
import type { Flaw, Seen } from './flaw.js';

const services = ['queue', 'assignment', 'allocator', 'rating'] as const satisfies readonly Service[];

const feel: Readonly<Record<Service, string>> = {
  queue: 'Players cannot queue, and no match is formed.',
  assignment: 'Matches get no teams, and events are delayed.',
  allocator: 'Matches get no server, and results are not taken.',
  rating: 'Results are not rated, and matches wait for ratings.',
};
/** Whether no replica was reached. One that answers may lack what it needs. */
const isAway = (error: unknown): boolean =>
  !(error instanceof MusterProblem) || error.status === 502 || error.status === 504;

/** Services that do not answer, and calls that fail. */
export function flawsOfServices({ failed, isCutOff }: Pick<Seen, 'failed' | 'isCutOff'>): Flaw[] {
  if (isCutOff)
    return [
      {
        key: 'edge',
        grade: 'critical',
        what: 'The coordinator does not answer.',
        players: 'Players cannot queue, unless only this browser is cut off.',
        mend: 'Look at the edge or the ingress, and at /health/ready of each service. This page retries by itself.',
        place: { to: '/jobs' },
        placeName: 'Services',
      },
    ];
  return services.flatMap((service) => {
    const its = failed.filter(({ call }) => endpointOf(call).service === service);
    const [first] = its;
    return first ? [flawOfService(service, first.error)] : [];
  });
}

function flawOfService(service: Service, error: unknown): Flaw {
  return {
    key: `service ${service}`,
    grade: 'critical',
    what: isAway(error)
      ? `No replica of ${service} answers: ${wordsOfError(error)}`
      : `Calls of ${service} fail: ${wordsOfError(error)}`,
    players: feel[service],
    mend: `/health/ready of a replica of ${service} names what it lacks; its log says more. Work that waits is not lost.`,
    place: { to: '/jobs' },
    placeName: 'Services and jobs',
  };
}
