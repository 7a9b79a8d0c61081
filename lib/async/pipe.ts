/**
 * Transforms streams. Items that were received together stay together in one list, and pass through all transforms in one turn
 * of the event loop: what they cost is work, and not waiting for each other.
 */
import { mapKept } from './map-kept.ts';

/** A stream of lists: the items of a list became available at the same time. */
export type Batched<Item> = AsyncIterable<readonly Item[]>;

/** One step of a stream. */
export interface Transform<In, Out> {
  /** Appends the output for one input to `out`. Output appended before it throws is delivered before the error. */
  each(input: In, out: Out[]): void;
  /** Appends the output after the last input. */
  end?(out: Out[]): void | Promise<void>;
  /** Maps an error of the source, or of this transform, to the error that the reader gets. */
  failed?(thrown: unknown): unknown;
  /** Called once at the end, after an error, or when the reader stops early. */
  closed?(): void;
}

/** One that gives an item for each, mostly the same: no list of its own is made for that. */
export interface ItemTransform<Item> extends Transform<readonly Item[], Item> {
  map(item: Item): Item;
}

/** Passes each item through `map`. */
export function eachItem<Item>(
  map: (item: Item) => Item,
  rest: Omit<Transform<never, Item>, 'each'> = {},
): ItemTransform<Item> {
  return {
    map,
    each(list, out) {
      for (const item of list) out.push(map(item));
    },
    ...rest,
  };
}

/** An iterator that knows what has come already. */
export interface ReadyIterator<Item> extends AsyncIterator<Item> {
  /** The next item if there is one at once; undefined otherwise, and when others should have their turn. */
  ready(): Item | undefined;
}

/** A transformed stream, for one reader. Stopping early also stops the source, even while it is idle, and waits for an end that has begun. */
export interface Piped<Item> extends Batched<Item> {
  /** The stream with a further transform, as a part of the last one: each maps the errors of both. Read the result in its place. */
  pipe<Out>(transform: Transform<readonly Item[], Out>): Piped<Out>;
  /** Gives lists back that were read, also at the end: they are read again, before the rest, by what is piped from now on as well. */
  putBack(lists: readonly (readonly Item[])[]): void;
}

/** Of a stream that is piped already, the result is read in its place. */
export function pipe<In, Out>(source: AsyncIterable<In>, transform: Transform<In, Out>): Piped<Out> {
  const pipeline = source instanceof Pipeline ? source : new Pipeline(source[Symbol.asyncIterator]());
  return pipeline.add(transform as Layer);
}

type Layer = Transform<unknown, unknown> & Partial<Pick<ItemTransform<unknown>, 'map'>>;

/** Passes lists on. */
const asTheyAre: Layer = {
  each(list, out) {
    for (const item of list as readonly unknown[]) out.push(item);
  },
};

/**
 * A source and the layers of transforms that its items pass, each one the source of the next. The states: open → closed (end of
 * the source, or the reader stopped), or open → failed (there is an error to deliver after the output) → closed.
 */
class Pipeline implements Piped<unknown>, AsyncIterator<readonly unknown[]> {
  readonly #source: AsyncIterator<unknown> & Partial<ReadyIterator<unknown>>;
  readonly #layers: Layer[] = [];
  /** How many layers are closed: the first ones. */
  #closed = 0;
  #isSourceDone = false;
  /** The end of a layer that takes time. */
  #ending: Promise<void> | undefined;
  /** The error to deliver, and the layer that threw it; 0 also stands for the source. */
  #failure: { readonly thrown: unknown; readonly layer: number } | undefined;
  /** What was put back, and the layer that is to read it. */
  #head: { readonly lists: (readonly unknown[])[]; readonly layer: number } = { lists: [], layer: 0 };

  constructor(source: AsyncIterator<unknown>) {
    this.#source = source;
  }

  add<Out>(layer: Layer): Piped<Out> {
    if (this.#layers.at(-1) === asTheyAre) this.#layers.pop();
    this.#layers.push(layer);
    return this as unknown as Piped<Out>;
  }

  pipe<Out>(transform: Transform<readonly unknown[], Out>): Piped<Out> {
    const last = this.#layers.at(-1);
    if (!last || last === asTheyAre) return this.add(transform as Layer);
    this.#layers.pop();
    return this.add(compose(last, transform as Layer));
  }

  putBack(lists: readonly (readonly unknown[])[]): void {
    this.#head = { lists: [...lists], layer: this.#layers.length };
    // A layer that is not closed reads them, until another takes its place.
    this.#layers.push(asTheyAre);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<readonly unknown[], undefined>> {
    const out: unknown[] = [];
    while (out.length === 0 && !this.#isClosed()) {
      const failure = this.#failure;
      const list = this.#head.lists.shift();
      if (list) this.#pass(list, this.#head.layer, out);
      else if (failure) this.#fail(failure);
      else if (this.#isSourceDone) {
        const ending = this.#end(out);
        if (ending) await ending;
      } else {
        try {
          this.#take(await this.#source.next(), out);
        } catch (thrown) {
          this.#failure = { thrown, layer: 0 };
        }
      }
      if (this.#failure !== failure) await this.#source.return?.();
    }
    return out.length > 0 ? { done: false, value: out } : { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<readonly unknown[], undefined>> {
    this.#close();
    await this.#source.return?.();
    await this.#ending?.catch(() => {});
    return { done: true, value: undefined };
  }

  #isClosed(): boolean {
    return this.#closed === this.#layers.length;
  }

  /** With an item those that have come with it. */
  #take({ done, value }: IteratorResult<unknown, unknown>, out: unknown[]): void {
    // The reader may have stopped meanwhile.
    if (this.#isClosed()) return;
    this.#isSourceDone = done === true;
    for (let item = done ? undefined : value; item !== undefined; item = this.#source.ready?.()) {
      this.#pass(item, 0, out);
      if (this.#failure) return;
    }
  }

  /** What a layer appends before it throws passes the next ones. If one of them throws as well, its error counts. */
  #pass(input: unknown, from: number, out: unknown[]): void {
    const layer = this.#layers[from];
    if (!layer) {
      for (const item of input as readonly unknown[]) out.push(item);
      return;
    }
    const isLast = from === this.#layers.length - 1;
    const passed = isLast ? out : [];
    try {
      layer.each(input, passed);
    } catch (thrown) {
      this.#failure = { thrown, layer: from };
    }
    if (!isLast && passed.length > 0) this.#pass(passed, from + 1, out);
  }

  /** Ends the next layer, and closes it. Few take time for that. */
  #end(out: unknown[]): Promise<void> | undefined {
    const index = this.#closed;
    const passed: unknown[] = [];
    const fail = (thrown: unknown) => {
      this.#failure = { thrown, layer: index };
    };
    const finish = () => {
      // The reader may have stopped meanwhile.
      if (this.#closed !== index) return;
      if (!this.#failure) this.#close(index + 1);
      if (passed.length > 0) this.#pass(passed, index + 1, out);
    };
    try {
      const ending = this.#layers[index]?.end?.(passed);
      if (ending) {
        this.#ending = ending;
        return ending.catch(fail).then(finish);
      }
    } catch (thrown) {
      fail(thrown);
    }
    finish();
    return undefined;
  }

  #fail({ thrown, layer }: { readonly thrown: unknown; readonly layer: number }): never {
    const error = this.#layers.slice(layer).reduce((mapped, one) => mapError(one, mapped), thrown);
    this.#close();
    throw error;
  }

  #close(count = this.#layers.length): void {
    const closing = this.#layers.slice(this.#closed, count);
    this.#closed = count;
    for (const layer of closing) layer.closed?.();
  }
}

/** Two transforms as one. What the first has appended when it throws still passes through the second. */
function compose(first: Layer, second: Layer): Layer {
  const passOn = (between: readonly unknown[], out: unknown[]) => {
    if (between.length > 0) second.each(between, out);
  };
  return {
    ...composeEach(first, second),
    end(out) {
      const between: unknown[] = [];
      const passRest = () => passOn(between, out);
      try {
        const ending = first.end?.(between);
        if (ending) return ending.finally(passRest).then(() => second.end?.(out));
      } catch (thrown) {
        passRest();
        throw thrown;
      }
      passRest();
      return second.end?.(out);
    },
    failed: (thrown) => mapError(second, mapError(first, thrown)),
    closed() {
      first.closed?.();
      second.closed?.();
    },
  };
}

function composeEach(first: Layer, second: Layer): Pick<Layer, 'each' | 'map'> {
  const [before, after] = [first.map, second.map];
  if (before && after) return eachItem((item) => after(before(item))) as Layer;
  if (before) return { each: (list, out) => second.each(mapKept(list as readonly unknown[], before), out) };
  if (after) {
    return {
      each(input, out) {
        const begin = out.length;
        try {
          first.each(input, out);
        } finally {
          for (let index = begin; index < out.length; index += 1) out[index] = after(out[index]);
        }
      },
    };
  }
  return {
    each(input, out) {
      const between: unknown[] = [];
      try {
        first.each(input, between);
      } finally {
        if (between.length > 0) second.each(between, out);
      }
    },
  };
}

const mapError = (transform: Layer, thrown: unknown): unknown =>
  transform.failed ? transform.failed(thrown) : thrown;
