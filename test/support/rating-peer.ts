import {
  loadPackageDefinition,
  Server,
  ServerCredentials,
  status,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { rpc, type GetRatingsRequest, type PredictRequest } from '@muster/contracts';
import { protoPath, type ManyAnswer } from '@muster/platform';

type Answer = (error: object | null, reply?: object) => void;

/** A gRPC server in place of the rating service. */
export interface RatingPeer {
  readonly target: string;
  /** The calls that it received, by method, with their requests. */
  readonly calls: { readonly method: string; readonly request: unknown }[];
  stop(): void;
}

/**
 * Starts a peer that answers ratings by the length of a player's name, and chances by the size of teams. The pool `none` is
 * unknown to it, and a team with `bad` is invalid.
 *
 * @param options.isOld as the previous release, without the calls that take many questions
 * @param options.until answers wait for it
 */
export async function startRatingPeer(
  options: { readonly isOld?: boolean; readonly until?: Promise<void> } = {},
): Promise<RatingPeer> {
  const calls: RatingPeer['calls'] = [];
  const handle =
    <Q>(method: string, reply: (request: Q) => object) =>
    async ({ request }: { request: Q }, answer: Answer): Promise<void> => {
      calls.push({ method, request });
      await options.until;
      try {
        answer(null, reply(request));
      } catch (error) {
        answer(
          error instanceof Refusal ? { code: error.code, details: error.message } : { code: status.UNKNOWN },
        );
      }
    };
  const many = {
    getManyRatings: handle('getManyRatings', ({ questions }: { questions: GetRatingsRequest[] }) => ({
      answers: questions.map((question) => settled(() => ratingsOf(question))),
    })),
    predictMany: handle('predictMany', ({ questions }: { questions: PredictRequest[] }) => ({
      answers: questions.map((question) => settled(() => chancesOf(question))),
    })),
  };
  const implementation: UntypedServiceImplementation = {
    getRatings: handle('getRatings', ratingsOf),
    predict: handle('predict', chancesOf),
    ...(options.isOld ? {} : many),
  };
  const server = new Server();
  server.addService(serviceOf(), implementation);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return { target: `ipv4:127.0.0.1:${port}`, calls, stop: () => server.forceShutdown() };
}

class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

function ratingsOf({ pool, playerIds }: GetRatingsRequest): object {
  if (pool === 'none') throw new Refusal(status.NOT_FOUND, 'There is no pool none.');
  const ratings = playerIds.map((playerId) => ({ playerId, mu: playerId.length, sigma: 1, matches: 2 }));
  return { ratings, startMu: 25, startSigma: 8 };
}

function chancesOf({ teams }: PredictRequest): object {
  const players = teams.flatMap(({ playerIds }) => playerIds);
  if (players.includes('bad')) throw new Refusal(status.INVALID_ARGUMENT, 'A bad team.');
  return { chances: teams.map(({ playerIds }) => playerIds.length / players.length), draw: 0 };
}

function settled(reply: () => object): ManyAnswer<object> {
  try {
    return { code: 0, message: '', reply: reply() };
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, message: error.message };
    throw error;
  }
}

function serviceOf(): ServiceDefinition {
  let found: unknown = loadPackageDefinition(
    loadSync(protoPath(rpc.rating.proto), { keepCase: false, longs: Number, defaults: true, arrays: true }),
  );
  for (const part of [...rpc.rating.package.split('.'), rpc.rating.service, 'service'])
    found = Reflect.get(found as object, part);
  return found as ServiceDefinition;
}
