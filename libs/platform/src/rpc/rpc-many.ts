import { status } from '@grpc/grpc-js';
import type { RpcCallName } from '@muster/contracts';
import { checkRequest } from './rpc-request.js';
import { rpcError, type RpcCaller } from './rpc.js';
import type { RpcStatus } from './status-of.js';

/** The answer to one of many questions on the wire. */
export interface ManyAnswer<Reply> {
  /** The gRPC status code of the question; 0 when it was answered. */
  code: number;
  message: string;
  /** Null or absent when the question failed. */
  reply?: Reply | null;
}

/** The answer to one of many questions, or its error. */
export type RpcAnswer<Reply> = { readonly reply: Reply } | { readonly error: unknown };

/** A question failed at the peer; `code` is its gRPC status code. */
export class RpcFailed extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Time for which a peer of the previous release is not asked for a call that it does not know, in milliseconds. */
const previousReleaseMs = 5_000;

/**
 * Asks many questions in one call. A peer of the previous release does not know that call and gets one call for each
 * question.
 */
export class RpcMany<Question, Reply> {
  private singlyUntil = -Infinity;

  /** @param methods the call of one question and that of many, as in the .proto file, first letter in lower case */
  constructor(
    private readonly client: Pick<RpcCaller, 'call'>,
    private readonly methods: { readonly one: string; readonly many: string },
    private readonly deadlineMs: number,
  ) {}

  /** @returns an answer for each question, in order; never rejects */
  async ask(questions: readonly Question[]): Promise<RpcAnswer<Reply>[]> {
    if (questions.length > 1 && performance.now() >= this.singlyUntil) {
      try {
        return await this.askTogether(questions);
      } catch (error) {
        if (codeOf(error) !== status.UNIMPLEMENTED) return questions.map(() => ({ error }));
        this.singlyUntil = performance.now() + previousReleaseMs;
      }
    }
    return Promise.all(questions.map((question) => this.askOne(question)));
  }

  private async askTogether(questions: readonly Question[]): Promise<RpcAnswer<Reply>[]> {
    const { answers } = await this.client.call<
      { questions: readonly Question[] },
      { answers: readonly ManyAnswer<Reply>[] }
    >(this.methods.many, { questions }, this.deadlineMs);
    return questions.map((_, i) => {
      const { code = status.UNKNOWN, message = 'The question was left out.', reply } = answers[i] ?? {};
      return code === status.OK && reply
        ? { reply }
        : { error: rpcError(code, message) ?? new RpcFailed(code, message) };
    });
  }

  private async askOne(question: Question): Promise<RpcAnswer<Reply>> {
    try {
      return { reply: await this.client.call<Question, Reply>(this.methods.one, question, this.deadlineMs) };
    } catch (error) {
      return { error };
    }
  }
}

/**
 * The server's side: answers questions together. A question that fails leaves the others alone.
 *
 * @param call the call of one question, whose limits each must keep
 * @param statusOf the status of an error
 */
export function answerMany<Question, Reply>(
  call: RpcCallName,
  questions: readonly Question[],
  answer: (question: Question) => Promise<Reply>,
  statusOf: (error: unknown) => RpcStatus,
): Promise<ManyAnswer<Reply>[]> {
  return Promise.all(
    questions.map(async (question): Promise<ManyAnswer<Reply>> => {
      try {
        checkRequest(call, question);
        return { code: status.OK, message: '', reply: await answer(question) };
      } catch (error) {
        return { ...statusOf(error) };
      }
    }),
  );
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
