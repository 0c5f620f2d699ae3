import { describe, expect, it } from 'vitest';
import { WriteQueue } from './write-queue.js';

/** A write that ends when it is told to, and notes what it did. */
function scripted(
  name: string,
  notes: string[],
): {
  write: (after: Promise<void>) => Promise<void>;
  end: (error?: Error) => void;
} {
  let end: (error?: Error) => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve());
  });
  const write = async (after: Promise<void>): Promise<void> => {
    notes.push(`${name} prepared`);
    await after;
    notes.push(`${name} begun`);
    await ended;
    notes.push(`${name} done`);
  };
  return { write, end };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a queue of writes', () => {
  it('prepares each at once, and runs one after the other', async () => {
    const notes: string[] = [];
    const queue = new WriteQueue(2, 1);
    const [a, b] = [scripted('a', notes), scripted('b', notes)];
    await queue.add(a.write);
    await queue.add(b.write);
    await settled();
    expect(notes.toSorted()).toEqual(['a begun', 'a prepared', 'b prepared']);
    b.end();
    a.end();
    await queue.drain();
    expect(notes.slice(3)).toEqual(['a done', 'b begun', 'b done']);
  });

  it('runs several beside each other, each after the one before it in its lane', async () => {
    const notes: string[] = [];
    const queue = new WriteQueue(3, 2);
    const [a, b, c] = [scripted('a', notes), scripted('b', notes), scripted('c', notes)];
    for (const { write } of [a, b, c]) await queue.add(write);
    await settled();
    expect(notes.filter((note) => note.endsWith('begun'))).toEqual(['a begun', 'b begun']);
    b.end();
    await settled();
    expect(notes).not.toContain('c begun');
    a.end();
    await settled();
    expect(notes).toContain('c begun');
    c.end();
    await queue.drain();
  });

  it('ends only when nothing is being written, also after an error', async () => {
    const notes: string[] = [];
    const queue = new WriteQueue(2, 2);
    const [a, b] = [scripted('a', notes), scripted('b', notes)];
    await queue.add(a.write);
    await queue.add(b.write);
    a.end(new Error('lost'));
    let ended = false;
    const draining = queue.drain().finally(() => (ended = true));
    await settled();
    expect(ended).toBe(false);
    b.end();
    await expect(draining).rejects.toThrow('lost');
    expect(notes).toContain('b done');
  });

  it('takes no more than so many', async () => {
    const notes: string[] = [];
    const queue = new WriteQueue(1, 1);
    const [a, b] = [scripted('a', notes), scripted('b', notes)];
    await queue.add(a.write);
    let added = false;
    const adding = queue.add(b.write).then(() => (added = true));
    await settled();
    expect(added).toBe(false);
    a.end();
    await adding;
    b.end();
    await queue.drain();
  });

  it('ends with the first error, which each later call throws', async () => {
    const notes: string[] = [];
    const queue = new WriteQueue(1, 1);
    const [a, b, c] = [scripted('a', notes), scripted('b', notes), scripted('c', notes)];
    await queue.add(a.write);
    a.end(new Error('lost'));
    await expect(queue.add(b.write)).rejects.toThrow('lost');
    await expect(queue.add(c.write)).rejects.toThrow('lost');
    await expect(queue.drain()).rejects.toThrow('lost');
    expect(notes.filter((note) => note.endsWith('begun'))).toEqual(['a begun']);
  });
});
