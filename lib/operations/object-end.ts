/** Finds the end of a JSON object that arrives in pieces, looking at each character once. */

export type ObjectEnd = ReturnType<typeof createObjectEnd>;

export function createObjectEnd() {
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  let isReached = false;
  const take = (character: string) => {
    if (isEscaped) isEscaped = false;
    else if (isInText) {
      isEscaped = character === '\\';
      isInText = character !== '"';
    } else if (character === '"') isInText = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      isReached = depth <= 0;
    }
  };
  return {
    add(piece: string) {
      if (isReached) return;
      for (const [mark] of piece.matchAll(/["\\{}[\]]|[^"\\{}[\]]+/g)) take(mark);
    },
    /** Whether the brackets that were opened are closed: the text is a whole object, or no JSON. */
    isReached: () => isReached,
  };
}
