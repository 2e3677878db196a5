/** Unix milliseconds at which this console was built; set by Vite. */
declare const __BUILT_AT__: number;
