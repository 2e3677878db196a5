/** Notifies listeners of named events; a listener that throws does not stop the others. */
export interface Emitter<Events extends Record<string, unknown>> {
  on<Name extends keyof Events>(name: Name, listener: (payload: Events[Name]) => void): () => void;
  emit<Name extends keyof Events>(name: Name, payload: Events[Name]): void;
}

/** Makes an emitter whose events and payloads are given by its type. */
export function createEmitter<Events extends Record<string, unknown>>(): Emitter<Events> {
  const listeners: { [Name in keyof Events]?: Set<(payload: Events[Name]) => void> } = {};
  return {
    on(name, listener) {
      const set = (listeners[name] ??= new Set());
      set.add(listener);
      return () => set.delete(listener);
    },
    emit(name, payload) {
      for (const listener of [...(listeners[name] ?? [])]) {
        try {
          listener(payload);
        } catch (error) {
          reportError(error);
        }
      }
    },
  };
}
