import { takeTurns } from '../../kernel/turns.ts';
import type { Question } from './worker-messages.ts';

const CHECKS_AT_ONCE = 8;

interface PasswordChecks {
  add(questions: readonly Question[]): void;
}

/**
 * Checks the passwords of devices that sign in, a few at once. Each address has its turn for each device key: of a stranger who tries a thousand passwords
 * one waits behind the other, and nobody else waits behind those.
 */
export function createPasswordChecks(
  verify: (deviceKey: string, password: string) => Promise<boolean>,
  answer: (id: number, isRight: boolean) => void,
): PasswordChecks {
  const lanes = new Map<string, Question[]>();
  let workers = 0;

  function takeNext(): Question | undefined {
    const [lane, questions = []] = lanes.entries().next().value ?? [];
    if (lane === undefined) return undefined;
    const question = questions.shift();
    // The lane goes to the end of the row.
    lanes.delete(lane);
    if (questions.length > 0) lanes.set(lane, questions);
    return question;
  }

  async function work(): Promise<void> {
    const turns = takeTurns();
    workers += 1;
    for (let question = takeNext(); question; question = takeNext()) {
      answer(question.id, await verify(question.deviceKey, question.password));
      if (turns.isOver()) await turns.next();
    }
    workers -= 1;
  }

  return {
    add(questions) {
      for (const question of questions) {
        const lane = `${question.address} ${question.deviceKey}`;
        const waiting = lanes.get(lane);
        if (waiting) waiting.push(question);
        else lanes.set(lane, [question]);
      }
      for (let count = Math.min(questions.length, CHECKS_AT_ONCE - workers); count > 0; count -= 1) void work();
    },
  };
}
