/** Which of several schemas is drawn at each node, by `choiceKey`. */
export interface DrawnChoices {
  /** Answers how to say that it is no longer drawn. */
  note: (key: string, index: number) => () => void;
  at: (key: string) => number | undefined;
  /** Whether another one than the first is drawn at the node of this path. */
  hasChanged: (path: string) => boolean;
}

export function createDrawnChoices(): DrawnChoices {
  const drawn = new Map<string, number>();
  const first = new Map<string, number>();
  return {
    note(key, index) {
      drawn.set(key, index);
      if (!first.has(key)) first.set(key, index);
      return () => void (drawn.get(key) === index && drawn.delete(key));
    },
    at: (key) => drawn.get(key),
    hasChanged: (path) => [...drawn].some(([key, index]) => key.startsWith(`${path} `) && first.get(key) !== index),
  };
}
