/** The listeners of a store outside React, as useSyncExternalStore subscribes them. */
export class Listeners {
  private readonly listeners = new Set<() => void>();

  /** Adds a listener and returns a function that removes it. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** Calls every listener. */
  notify(): void {
    for (const listener of this.listeners) listener();
  }
}
