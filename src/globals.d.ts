/** Unix milliseconds at which this console was built; set by Vite. */
declare const __BUILT_AT__: number;
/** The version in package.json, such as `0.1.0`; set by Vite. */
declare const __APP_VERSION__: string;
