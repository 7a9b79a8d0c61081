/** A stream of one item, which is made when it is asked for. A generator would make three promises more. */
export const single = <Item>(make: () => Promise<Item>): AsyncIterable<Item> => new Single(make);

class Single<Item> implements AsyncIterable<Item>, AsyncIterator<Item, undefined> {
  #make: (() => Promise<Item>) | undefined;

  constructor(make: () => Promise<Item>) {
    this.#make = make;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    const make = this.#make;
    if (!make) return ended;
    this.#make = undefined;
    return make().then((value) => ({ done: false, value }));
  }
}

const ended = Promise.resolve({ done: true, value: undefined } as const);
