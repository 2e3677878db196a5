declare module 'virtual:canopy-changelog' {
  /** What CHANGELOG.md says, newest first. */
  export const releases: readonly {
    readonly version: string;
    readonly groups: readonly { readonly name: string; readonly items: readonly string[] }[];
  }[];
}
