/** A stream of one item, which is made when it is asked for. A generator would make three promises more. */
export const single = <Item>(make: () => Promise<Item>): AsyncIterable<Item> => ({
  [Symbol.asyncIterator]() {
    let isMade = false;
    return {
      next() {
        if (isMade) return ended;
        isMade = true;
        return make().then((value) => ({ done: false, value }));
      },
    };
  },
});

const ended = Promise.resolve({ done: true, value: undefined } as const);
