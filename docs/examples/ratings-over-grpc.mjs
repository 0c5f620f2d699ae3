import { credentials, loadPackageDefinition, Metadata } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const definition = loadSync('libs/contracts/proto/rating.proto', { defaults: true });
const { RatingService } = loadPackageDefinition(definition).muster.rating.v1;
const rating = new RatingService(process.env.RATING_GRPC ?? '127.0.0.1:50051', credentials.createInsecure());

const proof = new Metadata();
proof.set('authorization', `Bearer ${process.env.GRPC_TOKEN}`);

const question = { pool: 'default', playerIds: ['alice', 'bob'] };
rating.getRatings(question, proof, { deadline: Date.now() + 1_000 }, (error, answer) => {
  if (error) throw error;
  for (const { playerId, mu, sigma, matches } of answer.ratings) console.log(playerId, mu, sigma, matches);
  rating.close();
});
