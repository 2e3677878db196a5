import { useCollected } from '../../engine/readings/collected.ts';
import { parameterWord } from './rule-words.ts';

/** Gives what a parameter of a rule is called, also one that a monitoring template collects: `mt12_load` is "Vitals: load". */
export function useParameterName(): (name: string) => string {
  const collected = useCollected();
  return (name) => collected.find(({ metric }) => metric === name)?.label ?? parameterWord(name);
}
