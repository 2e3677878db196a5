declare module 'virtual:canopy-help' {
  /** The documentation, in the order of its groups. */
  // oxlint-disable-next-line typescript/consistent-type-imports -- An import at the top would make this file a module, and the declaration an augmentation of none.
  export const guides: readonly import('./guide.ts').Guide[];
}
