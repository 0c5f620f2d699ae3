import { UnknownPool } from '@muster/domain';
import { Controller, Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { Weights } from './weights.js';
import { linePatterns, lineTransport } from './line-transport.js';
import type { Answer, Question } from './session.js';

type Asked<K extends Question['kind']> = Extract<Question, { readonly kind: K }>;

/** Answers the questions of the line protocol. */
@Controller()
export class WeightsController {
  constructor(@Inject(Weights) private readonly weights: Weights) {}

  @MessagePattern(linePatterns.player, lineTransport)
  player(@Payload() { game, id }: Asked<'player'>): Promise<Answer> {
    return answer(async () => ({ weight: await this.weights.player(game, id) }));
  }

  @MessagePattern(linePatterns.bot, lineTransport)
  bot(@Payload() { game, id }: Asked<'bot'>): Promise<Answer> {
    return answer(async () => ({ weight: await this.weights.bot(game, id) }));
  }

  @MessagePattern(linePatterns.meanbot, lineTransport)
  meanBot(@Payload() { game }: Asked<'meanbot'>): Promise<Answer> {
    return answer(() => this.weights.meanBot(game));
  }
}

/** An unknown game becomes a reply; every other error is internal. */
async function answer(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof UnknownPool) return { refused: error.message };
    throw error;
  }
}
